-- Lowers every counter that is there, never below 0; expiries stay.
-- KEYS: the counters of the limited scopes; one may be there twice and is then lowered twice
-- ARGV: 1 cost
-- Reply: OK, or the error of a counter that is none
local counts = {}
for _, key in ipairs(KEYS) do
  local text = redis.pcall('GET', key)
  if type(text) == 'table' then
    return text
  end
  if text and text ~= '0' and not string.match(text, '^[1-9][0-9]*$') then
    return redis.error_reply('DAMAGED the counter is not a number')
  end
  counts[key] = tonumber(text or '0')
end
for _, key in ipairs(KEYS) do
  local lowered = math.min(counts[key], tonumber(ARGV[1]))
  if lowered > 0 then
    local done = redis.pcall('DECRBY', key, string.format('%.0f', lowered))
    if type(done) == 'table' then
      return done
    end
    counts[key] = counts[key] - lowered
  end
end
return redis.status_reply('OK')
