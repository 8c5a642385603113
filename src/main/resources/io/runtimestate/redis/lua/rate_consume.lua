-- Charges every counter, or none of them.
-- KEYS: the counters of the limited scopes, in order; one may be there twice
-- ARGV: 1 cost, 2 expiry of a new counter in ms, 3 whether the answer tells the time: 1 or 0, then
--       for each key the highest count that still admits
-- Reply, as one text: '1', the time in seconds and microseconds or 0 0, the new count of each key; or
--        '0', the time, the index from 0 of the first key without room; or the error of a counter
--        that is none
-- A count of an admitted check is at most its limit, so concat writes all of its digits.
local call = redis.pcall
local time = '0 0'
if ARGV[3] == '1' then
  if not redis.REDIS_VERSION_NUM then
    redis.replicate_commands() -- the only way before 7.0, where it is a deprecated waste of time
  end
  local now = call('TIME')
  time = now[1] .. ' ' .. now[2]
end

local texts = call('MGET', unpack(KEYS))
local missing = {}
for i = 1, #KEYS do
  local key = KEYS[i]
  local text = texts[i] or call('GET', key) -- MGET hides other types
  if type(text) == 'table' then
    return text
  end
  if text and text ~= '0' and not string.find(text, '^[1-9]%d*$') then
    return redis.error_reply('DAMAGED the counter is not a number')
  end
  missing[i] = not text
  if (text or 0) - ARGV[i + 3] > 0 then
    if call('PTTL', key) == -1 then
      call('PEXPIRE', key, ARGV[2])
    end
    return '0 ' .. time .. ' ' .. i - 1
  end
end

local counts = {}
for i = 1, #KEYS do
  local key = KEYS[i]
  local count = call('INCRBY', key, ARGV[1])
  if type(count) == 'table' then
    return count
  end
  if missing[i] then
    call('PEXPIRE', key, ARGV[2])
  end
  counts[key] = count
end
local reply = '1 ' .. time
for i = 1, #KEYS do
  reply = reply .. ' ' .. counts[KEYS[i]]
end
return reply
