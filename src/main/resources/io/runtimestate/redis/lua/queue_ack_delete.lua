-- Acknowledges and deletes the entries that are pending, also from the pending lists of all other
-- groups; leaves the rest alone.
-- KEYS: 1 the stream
-- ARGV: 1 group, 2 consumer they must be pending for, or empty, then up to 1,000 ids
-- Reply: how many were pending, how many of them had a body; or an error: no such stream or group,
--        another type
local rows, err = pending_of(KEYS[1], ARGV[1], ARGV[2], 3)
if err then
  return err
end
if #rows == 0 then
  return {0, 0}
end
local ids = ids_of(rows)
local acked = redis.call('XACK', KEYS[1], ARGV[1], unpack(ids))
end_pending(KEYS[1], groups_of(KEYS[1]), ids)
return {acked, redis.call('XDEL', KEYS[1], unpack(ids))}
