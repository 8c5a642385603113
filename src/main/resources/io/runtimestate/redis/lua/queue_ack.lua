-- Acknowledges entries.
-- KEYS: 1 the stream
-- ARGV: 1 group, 2 consumer they must be pending for, or empty, then up to 1,000 ids
-- Reply: how many were pending; or an error: no such stream or group, another type
local ids
if ARGV[2] == '' then
  local check = redis.pcall('XPENDING', KEYS[1], ARGV[1], '-', '+', 1)
  if check.err then
    return refused(KEYS[1], check)
  end
  ids = {unpack(ARGV, 3)}
else
  local rows, err = pending_of(KEYS[1], ARGV[1], ARGV[2], 3)
  if err then
    return err
  end
  ids = ids_of(rows)
end
if #ids == 0 then
  return 0
end
return redis.call('XACK', KEYS[1], ARGV[1], unpack(ids))
