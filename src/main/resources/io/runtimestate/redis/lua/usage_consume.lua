-- Counts an event in every sliding window, or in none.
-- KEYS: the windows: sorted sets of event ids by unix ms, with two members of their own: '' holds
--       -(retention deadline), ' ' holds -(f + 1): events up to f are dead though still stored
-- ARGV: 1 event id, 2 unix ms or empty for the time of the server, then for each window its limit,
--       its length in ms and its retention in ms
-- Reply: '1'; or '0', the index from 0 of the first window without room, time to wait in ms; or the
--        error of a key that is no window
local event = ARGV[1]
local now = tonumber(ARGV[2])
if not now then
  if redis.replicate_commands then
    redis.replicate_commands()
  end
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function text(number)
  return string.format('%.0f', number)
end

-- Look at every window before the first write.
local windows = {}
for i, key in ipairs(KEYS) do
  local scores = redis.pcall('ZMSCORE', key, '', event, ' ')
  if scores.err then
    return scores
  end
  local deadline = scores[1] and -tonumber(scores[1])
  local card = redis.call('ZCARD', key)
  if card > 0 and not deadline then
    return redis.error_reply('DAMAGED the window has no deadline')
  end
  windows[i] = {
    key = key,
    limit = tonumber(ARGV[3 * i]),
    length = tonumber(ARGV[3 * i + 1]),
    retention = tonumber(ARGV[3 * i + 2]),
    over = deadline and now >= deadline,
    at = scores[2] and tonumber(scores[2]),
    mark = scores[3] and -tonumber(scores[3]) - 1,
    card = card,
    reserved = scores[3] and 2 or (deadline and 1 or 0),
    dead = 0
  }
end

local function forget(window)
  redis.call('UNLINK', window.key)
  window.card, window.reserved, window.dead, window.at, window.mark = 0, 0, 0, nil, nil
end

-- Nothing dead is left.
local function remove_all(window, cut)
  window.card = window.card - redis.call('ZREMRANGEBYSCORE', window.key, '0', text(cut))
  if window.mark then
    redis.call('ZREM', window.key, ' ')
    window.card, window.reserved, window.mark = window.card - 1, window.reserved - 1, nil
  end
end

-- The earliest 1 000 go, the mark tells the rest.
local function remove_some(window, cut)
  local first = window.reserved
  redis.call('ZREMRANGEBYRANK', window.key, text(first), text(first + 999))
  if cut ~= window.mark then
    redis.call('ZADD', window.key, text(-cut - 1), ' ')
  end
  window.reserved = 2
  window.dead = window.dead - 1000
  window.card = redis.call('ZCARD', window.key)
end

for _, window in ipairs(windows) do
  local cut = math.max(now - window.length, window.mark or -1)
  if window.over then
    forget(window)
  elseif window.card > 0 and cut >= 0 then
    if window.at and window.at <= cut then
      window.at = nil
    end
    local few = window.card - window.reserved <= 1000
    if not few then
      window.dead = redis.call('ZCOUNT', window.key, '0', text(cut))
      few = window.dead <= 1000
    end
    if window.dead == window.card - window.reserved then
      forget(window)
    elseif few or now <= cut then -- an event at or below the mark would be dead at once
      window.dead = 0
      remove_all(window, cut)
    else
      remove_some(window, cut)
    end
    if window.card > 0 and window.card == window.reserved then
      forget(window)
    end
  end
end

for i, window in ipairs(windows) do
  local live = window.card - window.reserved - window.dead
  if not window.at and live >= window.limit then
    local rank = text(window.reserved + window.dead + live - window.limit)
    local leaving = redis.call('ZRANGE', window.key, rank, rank, 'WITHSCORES')[2]
    return { '0', text(i - 1), text(tonumber(leaving) + window.length - now) }
  end
end

for _, window in ipairs(windows) do
  local deadline = text(-now - window.retention)
  local added
  if window.at then
    added = redis.pcall('ZADD', window.key, deadline, '')
  else
    added = redis.pcall('ZADD', window.key, deadline, '', text(now), event)
  end
  if type(added) == 'table' then
    return added
  end
  redis.call('PEXPIRE', window.key, text(2 * window.retention + 60000))
end
return { '1' }
