-- Frees a lock if that lease holds it. The history stays.
-- KEYS: 1 the lock
-- ARGV: 1 owner length, colon and token of the lease
-- Reply: 1 or 0
local held = redis.pcall('GET', KEYS[1])
if type(held) == 'table' then
  return held
end
if not held or string.match(held, '^%d+:(.*)$') ~= ARGV[1] then
  return 0
end
return redis.call('UNLINK', KEYS[1])
