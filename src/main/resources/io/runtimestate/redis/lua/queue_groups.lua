-- Lists the groups of a stream and their consumers.
-- KEYS: 1 the stream
-- Reply: for each group: name, position, pending, lag, and for each of its consumers: name, pending,
--        idle time in ms. Or the error of a key of another type
local groups, err = groups_of(KEYS[1])
if err then
  return err
end
local length = redis.call('XLEN', KEYS[1])
local reply = {}
for i, group in ipairs(groups) do
  local consumers = {}
  for _, row in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], group.name)) do
    local consumer = named(row)
    -- from 7.2 the server also knows those that only asked
    if consumer.inactive ~= -1 then
      local idle = consumer.inactive or consumer.idle
      consumers[#consumers + 1] = {consumer.name, consumer.pending, idle}
    end
  end
  local lag = lag_of(KEYS[1], group, length)
  reply[i] = {group.name, group['last-delivered-id'], group.pending, lag, consumers}
end
return reply
