-- Sets values one after the other, all with the same expiry.
-- KEYS: the keys; one given twice ends with the later value
-- ARGV: 1 expiry in ms or empty, then one value for each key
-- Reply: OK, or the error of the first write; a server that lets that one through lets all through
for i, key in ipairs(KEYS) do
  local stored
  if ARGV[1] == '' then
    stored = redis.pcall('SET', key, ARGV[i + 1])
  else
    stored = redis.pcall('SET', key, ARGV[i + 1], 'PX', ARGV[1])
  end
  if stored.err then
    return stored
  end
end
return redis.status_reply('OK')
