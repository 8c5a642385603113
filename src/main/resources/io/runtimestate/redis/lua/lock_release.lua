-- Frees a lock if that lease holds it, and tells those who wait. The history stays.
-- KEYS: 1 the lock
-- ARGV: 1 token of the lease, 2 channel to tell, or empty, 3 who tells
-- Reply: 1 or 0
local held = redis.pcall('GET', KEYS[1])
if type(held) == 'table' then
  return held
end
if not held or string.match(held, '^%d+:%d+:(.*)$') ~= ARGV[1] then
  return 0
end
local freed = redis.call('UNLINK', KEYS[1])
if ARGV[2] ~= '' then
  redis.pcall('PUBLISH', ARGV[2], ARGV[3] .. KEYS[1])
end
return freed
