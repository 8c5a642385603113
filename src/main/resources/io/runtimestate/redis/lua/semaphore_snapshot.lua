-- How many permits are live.
-- KEYS: 1 the semaphore: permits by the unix ms of their end
-- Reply: the number
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.pcall('ZCOUNT', KEYS[1], '(' .. string.format('%.0f', now), '+inf')
