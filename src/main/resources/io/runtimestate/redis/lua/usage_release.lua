-- Takes an event out of sliding windows.
-- KEYS: the windows, as in usage_consume.lua
-- ARGV: 1 event id
-- Reply: OK, or the error of a key that is no window
local marks = {}
for i, key in ipairs(KEYS) do
  local scores = redis.pcall('ZMSCORE', key, ' ')
  if scores.err then
    return scores
  end
  marks[i] = scores[1] and -tonumber(scores[1]) - 1
end
for i, key in ipairs(KEYS) do
  if redis.call('ZREM', key, ARGV[1]) == 1 then
    local live = redis.call('ZCARD', key) - 1
    if marks[i] then
      live = live - 1 - redis.call('ZCOUNT', key, '0', string.format('%.0f', marks[i]))
    end
    if live <= 0 then
      redis.call('UNLINK', key)
    end
  end
end
return redis.status_reply('OK')
