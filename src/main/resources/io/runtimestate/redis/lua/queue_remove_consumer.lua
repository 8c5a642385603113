-- Removes a consumer, unless something is pending for it that is not to be discarded.
-- KEYS: 1 the stream
-- ARGV: 1 group, 2 consumer, 3 whether to discard what is pending, 0 or 1
-- Reply: 1 if it was removed, else 0; how many entries were pending for it. Or an error: no such
--        stream or group, another type
local rows = redis.pcall('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])
if rows.err then
  return refused(KEYS[1], rows)
end
for _, row in ipairs(rows) do
  local consumer = named(row)
  if consumer.name == ARGV[2] then
    -- from 7.2 the server also knows those that only asked
    if consumer.inactive == -1 or (consumer.pending > 0 and ARGV[3] == '0') then
      return {0, consumer.pending}
    end
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
    return {1, consumer.pending}
  end
end
return {0, 0}
