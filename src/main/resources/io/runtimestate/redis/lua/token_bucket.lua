-- Takes tokens from a bucket that refills steadily. A missing bucket is full, and is stored no
-- longer than until it is full again.
-- KEYS: 1 the bucket: whole tokens, what has arrived of the next in 1 / period, unix ms
-- ARGV: 1 capacity, 2 tokens that arrive in a period, 3 period in ms, 4 how many to take
-- Reply: '1' and the tokens left, or '0' and the time to wait in ms; or the error of a bucket that
--        is none
-- All numbers are integers below 2^53: capacity x period is at most 2^52, and elapsed time is
-- compared with the time to full before it is multiplied.
if redis.replicate_commands then
  redis.replicate_commands()
end
local text = redis.pcall('GET', KEYS[1])
if type(text) == 'table' then
  return text
end
local capacity, refill, period = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local wanted = tonumber(ARGV[4])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local tokens, remainder, stamp = capacity, 0, now

local function quotient(a, b)
  return (a - math.fmod(a, b)) / b
end

local function millis_until(goal)
  local missing = (goal - tokens) * period - remainder
  return quotient(missing + refill - 1, refill)
end

if text then
  local t, r, s = string.match(text, '^([0-9]+) ([0-9]+) ([0-9]+)$')
  if not t or #t > 15 or #r > 15 or #s > 15 then
    return redis.error_reply('DAMAGED the bucket is not one')
  end
  tokens = math.min(tonumber(t), capacity)
  remainder = math.min(tonumber(r), period - 1)
  stamp = tonumber(s)
  local elapsed = math.max(0, now - stamp)
  stamp = math.max(stamp, now)
  if tokens == capacity or elapsed >= millis_until(capacity) then
    tokens, remainder = capacity, 0
  else
    local arrived = elapsed * refill + remainder
    tokens = tokens + quotient(arrived, period)
    remainder = math.fmod(arrived, period)
  end
end

if tokens < wanted then
  return { '0', string.format('%.0f', millis_until(wanted)) }
end
tokens = tokens - wanted
local stored =
  redis.pcall(
    'SET',
    KEYS[1],
    string.format('%.0f %.0f %.0f', tokens, remainder, stamp),
    'PX',
    string.format('%.0f', millis_until(capacity) + stamp - now)
  )
if stored.err then
  return stored
end
return { '1', string.format('%.0f', tokens) }
