-- Charges every counter, or none of them.
-- KEYS: the counters of the limited scopes, in order; one may be there twice
-- ARGV: 1 cost, 2 expiry of a new counter in ms, 3 1 if the answer tells the time, else 0, and 2 more if
--       a counter is there twice; then for each key the highest count that still admits; then, if a
--       counter is there twice, for each key what later charges of the same counter take
-- Reply, as one text: '1', the time in seconds and microseconds or 0 0, and one number: the index from
--        0 of the first key with the least left, times 2^32, plus what is left; or '0', the time, the
--        index of the first key without room; or the error of a counter that is none
-- A reply of several elements, or more numbers in it, would cost as much as a command.
local call = redis.pcall
local seconds, micros = '0', '0'
if ARGV[3] == '1' or ARGV[3] == '3' then
  if not redis.REDIS_VERSION_NUM then
    redis.replicate_commands() -- the only way before 7.0, where it is a deprecated waste of time
  end
  local now = call('TIME')
  seconds, micros = now[1], now[2]
end

local later = 3 + #KEYS
local least, tightest, missing = math.huge, 0, nil
for i = 1, #KEYS do
  local text = call('GET', KEYS[i])
  if not text then
    text, missing = 0, missing or {}
    missing[i] = true
  elseif type(text) == 'table' then
    return text
  elseif text ~= '0' and not string.find(text, '^[1-9]%d*$') then
    return redis.error_reply('DAMAGED the counter is not a number')
  end
  local left = ARGV[i + 3] - text
  if left < 0 then
    if call('PTTL', KEYS[i]) == -1 then
      call('PEXPIRE', KEYS[i], ARGV[2])
    end
    return '0 ' .. seconds .. ' ' .. micros .. ' ' .. i - 1
  end
  if ARGV[later + i] then
    left = math.max(0, left - ARGV[later + i])
  end
  if left < least then
    least, tightest = left, i - 1
  end
end

for i = 1, #KEYS do
  local done = call('INCRBY', KEYS[i], ARGV[1])
  if type(done) == 'table' then
    return done
  end
  if missing and missing[i] then
    call('PEXPIRE', KEYS[i], ARGV[2])
  end
end
return '1 ' .. seconds .. ' ' .. micros .. ' ' .. tightest * 4294967296 + least
