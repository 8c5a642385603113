-- Keeps a bounded series: removes old members, sets one, removes the lowest, sets the expiry.
-- KEYS: 1 the score
-- ARGV: 1 member, 2 its score, 3 the highest score that is too old or empty, 4 whether the new
--       score is: 1 or 0, 5 how many may remain or 0, 6 expiry in ms
-- Reply: how many remain, as text; or the error of another type
-- The member is set first, so that a full server refuses the whole. One that is too old itself
-- survives its own call, so it is set again after the old ones are gone.
local added = redis.pcall('ZADD', KEYS[1], ARGV[2], ARGV[1])
if type(added) == 'table' then
  return added
end
if ARGV[3] ~= '' then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
end
if ARGV[4] == '1' then
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
end
local surplus = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[5])
if ARGV[5] ~= '0' and surplus > 0 then
  redis.call('ZREMRANGEBYRANK', KEYS[1], '0', string.format('%.0f', surplus - 1))
end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return string.format('%.0f', redis.call('ZCARD', KEYS[1]))
