-- One snapshot of a stream and of one of its groups.
-- KEYS: 1 the stream
-- ARGV: 1 group, or empty; 2 the idle time of a nacked entry in ms
-- Reply: length; and if the group exists: pending, lag, the largest idle time among the 1,000 lowest
--        pending ids, or -1 if nothing is pending. Or the error of a key of another type
local groups, err = groups_of(KEYS[1])
if err then
  return err
end
local length = redis.call('XLEN', KEYS[1])
for _, group in ipairs(groups) do
  if group.name == ARGV[1] then
    local oldest, nacked = -1, tonumber(ARGV[2])
    for _, row in ipairs(redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1000)) do
      local idle = row[3]
      oldest = math.max(oldest, idle >= nacked and idle - nacked or idle)
    end
    return {length, group.pending, lag_of(KEYS[1], group, length), oldest}
  end
end
return {length}
