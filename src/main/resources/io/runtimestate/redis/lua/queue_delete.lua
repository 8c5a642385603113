-- Deletes entries, also from all pending lists.
-- KEYS: 1 the stream
-- ARGV: up to 1,000 ids
-- Reply: how many existed; or the error of a key of another type
local groups, err = groups_of(KEYS[1])
if err then
  return err
end
if #ARGV == 0 then
  return 0
end
end_pending(KEYS[1], groups, ARGV)
return redis.call('XDEL', KEYS[1], unpack(ARGV))
