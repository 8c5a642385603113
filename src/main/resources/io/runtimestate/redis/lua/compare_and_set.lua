-- Replaces a value if it equals the expected one; without a new expiry the old one is kept.
-- KEYS: 1 the value
-- ARGV: 1 expected, 2 new value, 3 expiry in ms or empty
-- Reply: 1 or 0, or the error of a key of another type
local current = redis.pcall('GET', KEYS[1])
if type(current) == 'table' then
  return current
end
if current ~= ARGV[1] then
  return 0
end
local stored
if ARGV[3] == '' then
  stored = redis.pcall('SET', KEYS[1], ARGV[2], 'KEEPTTL')
else
  stored = redis.pcall('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
if stored.err then
  return stored
end
return 1
