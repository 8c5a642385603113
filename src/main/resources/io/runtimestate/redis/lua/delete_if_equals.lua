-- Deletes a value if it equals the expected one.
-- KEYS: 1 the value
-- ARGV: 1 expected
-- Reply: 1 or 0, or the error of a key of another type
local current = redis.pcall('GET', KEYS[1])
if type(current) == 'table' then
  return current
end
if current ~= ARGV[1] then
  return 0
end
return redis.call('UNLINK', KEYS[1])
