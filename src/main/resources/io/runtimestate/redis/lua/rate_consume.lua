-- Charges every counter, or none of them.
-- KEYS: the counters of the limited scopes, in order; one may be there twice
-- ARGV: 1 cost, 2 expiry of a new counter in ms, 3 end of the bucket in unix ms or 0, then for each
--       key the highest count that still admits
-- Reply, as one text: '1', time until the end in ms or 0, the new count of each key; or '0', the
--        time, the index from 0 of the first key without room; or the error of a counter that is none
local left = '0'
if ARGV[3] ~= '0' then
  if redis.replicate_commands then
    redis.replicate_commands()
  end
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  left = string.format('%.0f', math.max(1, tonumber(ARGV[3]) - now))
end

local counts, missing = {}, {}
for i, key in ipairs(KEYS) do
  local text = redis.pcall('GET', key)
  if type(text) == 'table' then
    return text
  end
  if text and text ~= '0' and not string.match(text, '^[1-9][0-9]*$') then
    return redis.error_reply('DAMAGED the counter is not a number')
  end
  missing[i] = not text
  counts[key] = tonumber(text or '0')
  if counts[key] > tonumber(ARGV[i + 3]) then
    if redis.call('PTTL', key) == -1 then
      redis.call('PEXPIRE', key, ARGV[2])
    end
    return string.format('0 %s %.0f', left, i - 1)
  end
end

for i, key in ipairs(KEYS) do
  local count = redis.pcall('INCRBY', key, ARGV[1])
  if type(count) == 'table' then
    return count
  end
  if missing[i] then
    redis.call('PEXPIRE', key, ARGV[2])
  end
  counts[key] = count
end
local reply = '1 ' .. left
for _, key in ipairs(KEYS) do
  reply = string.format('%s %.0f', reply, counts[key])
end
return reply
