-- Moves a pending entry to another stream: appends other fields there, ends the entry in all groups
-- and deletes it.
-- KEYS: 1 the source, 2 the destination
-- ARGV: 1 group, 2 id, 3 consumer it must be pending for, or empty, 4 how many entries remain in
--       the destination at most, 0 for all, then the new texts: name, value, name, value …
-- Reply: the new id, how many entries were deleted, how many of those removed from the destination
--        some group had not finished; nothing if the entry is not pending. Or an error: no such
--        stream or group, another type, a missing permission, a full server
local row = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)
if row.err then
  return refused(KEYS[1], row)
end
row = row[1]
if not row or (ARGV[3] ~= '' and row[2] ~= ARGV[3]) then
  return {}
end
local kind = redis.call('TYPE', KEYS[2]).ok
if kind ~= 'none' and kind ~= 'stream' then
  return redis.error_reply('WRONGTYPE the destination holds another type')
end

-- What the user may not do must be known before anything is written. Before 7.0 only trying tells,
-- with arguments that have no effect; whether XADD is allowed, it says itself, being the first.
local function forbidden(...)
  if not redis.acl_check_cmd then
    local reply = redis.pcall(...)
    return type(reply) == 'table' and reply.err and reply
  end
  return not redis.acl_check_cmd(...) and redis.error_reply('NOPERM a permission is missing')
end
local limit = tonumber(ARGV[4])
local missing = forbidden('XACK', KEYS[1], ARGV[1], '0-0')
  or forbidden('XDEL', KEYS[1], '0-0')
  or (redis.acl_check_cmd and forbidden('XADD', KEYS[2], '*', '', ''))
  or (limit > 0 and forbidden('XTRIM', KEYS[2], 'MAXLEN', '=', '9007199254740991'))
  or (limit > 0 and forbidden('XACK', KEYS[2], ARGV[1], '0-0'))
if missing then
  return missing
end

local id = redis.pcall('XADD', KEYS[2], '*', unpack(ARGV, 5))
if type(id) == 'table' then
  return id
end
local unfinished = 0
local length = redis.call('XLEN', KEYS[2])
if limit > 0 and length > limit then
  unfinished = remove_oldest(KEYS[2], length - limit, length)
end
end_pending(KEYS[1], groups_of(KEYS[1]), {ARGV[2]})
return {id, redis.call('XDEL', KEYS[1], ARGV[2]), unfinished}
