-- Lets a live permit last from now on.
-- KEYS: 1 the semaphore: permits by the unix ms of their end
-- ARGV: 1 token, 2 time of the permit in ms
-- Reply: 1 or 0
-- The first write is one that a full server allows; it lets the next one through.
if redis.replicate_commands then
  redis.replicate_commands()
end
local own = redis.pcall('ZSCORE', KEYS[1], ARGV[1])
if type(own) == 'table' then
  return own
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends = time[1] * 1000 + math.ceil(time[2] / 1000) + ARGV[2]
if not own or tonumber(own) <= now then
  return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[1], 'XX', string.format('%.0f', ends), ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', tonumber(last[2])))
return 1
