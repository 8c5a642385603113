-- What counting an event would find in every sliding window; changes nothing.
-- KEYS: the windows, as in usage_consume.lua
-- ARGV: as in usage_consume.lua
-- Reply: for each window how many events count, whether this one does: '1' or '0', and the time to
--        wait in ms or empty; or the error of a key that is no window
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function text(number)
  return string.format('%.0f', number)
end

local reply = {}
for i, key in ipairs(KEYS) do
  local scores = redis.pcall('ZMSCORE', key, '', ARGV[1], ' ')
  if scores.err then
    return scores
  end
  local deadline = scores[1] and -tonumber(scores[1])
  local card = redis.call('ZCARD', key)
  if card > 0 and not deadline then
    return redis.error_reply('DAMAGED the window has no deadline')
  end
  local limit, length = tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local mark = scores[3] and -tonumber(scores[3]) - 1
  local cut = math.max(now - length, mark or -1)
  local reserved = scores[3] and 2 or 1
  local live, dead, counted, wait = 0, 0, false, ''
  if deadline and now < deadline then
    if cut >= 0 then
      dead = redis.call('ZCOUNT', key, '0', text(cut))
    end
    live = card - reserved - dead
    counted = scores[2] and tonumber(scores[2]) > cut
  end
  if not counted and live >= limit then
    local rank = text(reserved + dead + live - limit)
    local leaving = redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')[2]
    wait = text(tonumber(leaving) + length - now)
  end
  reply[3 * i - 2] = text(live)
  reply[3 * i - 1] = counted and '1' or '0'
  reply[3 * i] = wait
end
return reply
