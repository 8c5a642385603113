-- Creates a group, and the stream if needed; one that exists keeps its position.
-- KEYS: 1 the stream
-- ARGV: 1 group, 2 id to start after, or $
-- Reply: 1 if the group was created, else 0; or the error of a key of another type
local created = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[1], ARGV[2], 'MKSTREAM')
if created.err then
  if string.find(created.err, 'BUSYGROUP', 1, true) then
    return 0
  end
  return created
end
return 1
