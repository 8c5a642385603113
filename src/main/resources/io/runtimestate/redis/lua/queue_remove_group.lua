-- Removes a group.
-- KEYS: 1 the stream
-- ARGV: 1 group
-- Reply: 1 if it existed, else 0; or the error of a key of another type
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
return redis.pcall('XGROUP', 'DESTROY', KEYS[1], ARGV[1])
