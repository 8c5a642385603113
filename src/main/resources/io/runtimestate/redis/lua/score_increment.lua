-- Adds to the score of a member; a missing one counts as 0.
-- KEYS: 1 the score
-- ARGV: 1 what to add, 2 member
-- Reply: the new score as text; nil if it would not be finite; or the error of another type
local current = redis.pcall('ZSCORE', KEYS[1], ARGV[2])
if type(current) == 'table' then
  return current
end
local sum = tonumber(current or '0') + tonumber(ARGV[1])
if sum - sum ~= 0 then
  return false
end
return redis.pcall('ZINCRBY', KEYS[1], ARGV[1], ARGV[2])
