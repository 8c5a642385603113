-- Acquires a lock that is free, or once more for the lease that holds it.
-- KEYS: 1 the lock, 2 its last fencing token
-- ARGV: 1 owner length, colon and token of the lease, 2 its time in ms, 3 time of the history in ms
-- Reply: the fencing token, or nil if another lease holds the lock
-- The lock is stored as its fencing token, a colon and ARGV[1]. The history is written first: a lock
-- without it could get an old token after its end. One that is no number counts as none.
if redis.replicate_commands then
  redis.replicate_commands()
end
local held = redis.pcall('GET', KEYS[1])
if type(held) == 'table' then
  return held
end
if held then
  local fencing, lease = string.match(held, '^([1-9]%d*):(.*)$')
  if not fencing then
    return redis.error_reply('WRONGTYPE the lock is damaged')
  end
  if lease ~= ARGV[1] then
    return false
  end
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
  return fencing
end
local time = redis.call('TIME')
local token = time[1] * 1000000 + time[2]
local last = redis.pcall('GET', KEYS[2])
if type(last) == 'string' and string.match(last, '^[1-9]%d*$') and #last <= 16 then
  local number = tonumber(last)
  if number < 9007199254740991 and number >= token then
    token = number + 1
  end
end
local fencing = string.format('%.0f', token)
local kept = redis.pcall('SET', KEYS[2], fencing, 'PX', ARGV[3])
if kept.err then
  return kept
end
redis.call('SET', KEYS[1], fencing .. ':' .. ARGV[1], 'PX', ARGV[2])
return fencing
