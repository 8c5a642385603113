-- Adds a permit if fewer than the limit are live, or lets a live one last from now on.
-- KEYS: 1 the semaphore: permits by the unix ms of their end
-- ARGV: 1 token, 2 limit, 3 time of the permit in ms
-- Reply: how many permits are live then, as text; or nil
-- A permit is live while its end is above now; the end is rounded up, so that it never comes before
-- the time asked for is over. Only a grant removes expired permits. The key lives as long as its last
-- permit.
if redis.replicate_commands then
  redis.replicate_commands()
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends = time[1] * 1000 + math.ceil(time[2] / 1000) + ARGV[3]
local nowText = string.format('%.0f', now)
local live = redis.pcall('ZCOUNT', KEYS[1], '(' .. nowText, '+inf')
if type(live) == 'table' then
  return live
end
local own = redis.call('ZSCORE', KEYS[1], ARGV[1])
local held = own and tonumber(own) > now
if not held and live >= tonumber(ARGV[2]) then
  return false
end
if live == 0 and redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('UNLINK', KEYS[1])
end
local added = redis.pcall('ZADD', KEYS[1], string.format('%.0f', ends), ARGV[1])
if type(added) == 'table' then
  return added
end
local dead = redis.call('ZCARD', KEYS[1]) - live - (held and 0 or 1)
if dead > 0 then
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, math.min(dead, 1000) - 1)
end
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', tonumber(last[2])))
return string.format('%.0f', live + (held and 0 or 1))
