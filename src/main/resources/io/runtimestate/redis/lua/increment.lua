-- Adds to an integer; a key that this creates gets an expiry.
-- KEYS: 1 the value
-- ARGV: 1 what to add, 2 expiry in ms
-- Reply: the new value as text, since its digits beyond 2^53 would be lost as a number; or the error
--        of a value that is no integer, of an overflow, of another type
local existed = redis.call('EXISTS', KEYS[1])
local sum = redis.pcall('INCRBY', KEYS[1], ARGV[1])
if type(sum) == 'table' then
  return sum
end
if existed == 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return redis.call('GET', KEYS[1])
