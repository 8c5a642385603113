-- Appends entries in order and removes the oldest ones beyond a limit.
-- KEYS: 1 the stream
-- ARGV: 1 how many remain at most, 0 for all; then for each entry the number of its texts and the
--       texts: name, value, name, value …
-- Reply: how many of the removed entries some group had not finished, then the ids; or the error of
--        a key of another type, of a full server, or of a stream that has used its last id
local reply = {0}
local at = 2
while at <= #ARGV do
  local last = at + tonumber(ARGV[at])
  local id = redis.pcall('XADD', KEYS[1], '*', unpack(ARGV, at + 1, last))
  if type(id) == 'table' then
    return id
  end
  reply[#reply + 1] = id
  at = last + 1
end
local limit = tonumber(ARGV[1])
local length = redis.call('XLEN', KEYS[1])
if limit > 0 and length > limit then
  reply[1] = remove_oldest(KEYS[1], length - limit, length)
end
return reply
