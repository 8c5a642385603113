-- Removes a permit, and tells those who wait if it was live.
-- KEYS: 1 the semaphore: permits by the unix ms of their end
-- ARGV: 1 token, 2 channel to tell, or empty, 3 who tells
-- Reply: 1 if it was live, else 0
if redis.replicate_commands then
  redis.replicate_commands()
end
local own = redis.pcall('ZSCORE', KEYS[1], ARGV[1])
if type(own) == 'table' then
  return own
end
if not own then
  return 0
end
redis.call('ZREM', KEYS[1], ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if last[2] then
  redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', tonumber(last[2])))
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if tonumber(own) <= now then
  return 0
end
if ARGV[2] ~= '' then
  redis.pcall('PUBLISH', ARGV[2], ARGV[3] .. KEYS[1])
end
return 1
