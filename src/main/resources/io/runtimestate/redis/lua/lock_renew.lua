-- Lets a lease that holds its lock last from now on.
-- KEYS: 1 the lock, 2 its last fencing token
-- ARGV: 1 token of the lease, 2 its time in ms, 3 time of the history in ms
-- Reply: 1 or 0
local held = redis.pcall('GET', KEYS[1])
if type(held) == 'table' then
  return held
end
if not held or string.match(held, '^%d+:%d+:(.*)$') ~= ARGV[1] then
  return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1
