-- Sets the idle time of entries that are pending for a consumer, and leaves those alone that have
-- been idle for longer than that unless it is 0.
-- KEYS: 1 the stream
-- ARGV: 1 group, 2 consumer, 3 idle time in ms, 4 how many deliveries not to count, 0 or 1, then up
--       to 1,000 distinct ids
-- Reply: how many are pending for the consumer; or an error: no such stream or group, another type
local rows, err = pending_of(KEYS[1], ARGV[1], ARGV[2], 5)
if err then
  return err
end
local idle, uncounted = tonumber(ARGV[3]), tonumber(ARGV[4])
local by_count = {}
for _, row in ipairs(rows) do
  if idle == 0 or row[3] < idle then
    local count = string.format('%.0f', math.max(row[4] - uncounted, 0))
    by_count[count] = by_count[count] or {}
    table.insert(by_count[count], row[1])
  end
end
for count, ids in pairs(by_count) do
  local set = {'IDLE', ARGV[3], 'RETRYCOUNT', count, 'JUSTID'}
  for _, word in ipairs(set) do
    ids[#ids + 1] = word
  end
  redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, unpack(ids))
end
return #rows
