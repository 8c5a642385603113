-- The lag of a group; stands after what the scripts on streams share.

-- How many entries exist after the position of a group: exact when at most 1,000 lie after it or at
-- most 1,000 up to it, otherwise an estimate between 1,001 and the length. The server's own lag is
-- too high after removals, so it is trusted only when it is 0 or when nothing was ever removed.
local function lag_of(key, group, length)
  if length == 0 then
    return 0
  end
  local known = group.lag
  if known == 0 then
    return 0
  end
  if known and named(redis.call('XINFO', 'STREAM', key))['entries-added'] == length then
    return known
  end
  local position = group['last-delivered-id']
  local back, ahead = position, '(' .. position
  local up_to, after, page = 0, 0, 10
  repeat
    local rows = redis.call('XREVRANGE', key, back, '-', 'COUNT', page)
    up_to = up_to + #rows
    if #rows < page then
      return length - up_to
    end
    back = '(' .. rows[#rows][1]
    rows = redis.pcall('XRANGE', key, ahead, '+', 'COUNT', page)
    if rows.err then
      return 0 -- nothing can lie after the last possible id
    end
    after = after + #rows
    if #rows < page then
      return after
    end
    ahead = '(' .. rows[#rows][1]
    page = math.min(page * 3, 1001 - up_to)
  until up_to > 1000
  return known and math.min(math.max(known, 1001), length) or length
end
