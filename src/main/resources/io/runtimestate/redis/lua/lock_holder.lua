-- Who holds a lock, and for how long.
-- KEYS: 1 the lock
-- Reply: what is stored, and the ms left; or nil
local held = redis.pcall('GET', KEYS[1])
if type(held) == 'table' or not held then
  return held
end
return {held, redis.call('PTTL', KEYS[1])}
