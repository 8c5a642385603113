-- The live permits, by their end, then by the byte order of their tokens.
-- KEYS: 1 the semaphore: permits by the unix ms of their end
-- Reply: unix ms, rounded up, as text; then token and unix ms of the end for each
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local live = redis.pcall('ZRANGE', KEYS[1], '(' .. now, '+inf', 'BYSCORE', 'WITHSCORES')
if live.err then
  return live
end
return {string.format('%.0f', time[1] * 1000 + math.ceil(time[2] / 1000)), live}
