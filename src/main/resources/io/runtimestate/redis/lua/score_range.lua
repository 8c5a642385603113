-- Members between two scores, by rank: skipping many costs no more than skipping none.
-- KEYS: 1 the score
-- ARGV: 1 min, 2 max, 3 how many to skip, 4 how many at most, 5 mirrored: 1 or 0, 6 scores: 1 or 0
-- Reply: members, each followed by its score if asked for; or the error of another type
local found = redis.pcall('ZCOUNT', KEYS[1], ARGV[1], ARGV[2])
if type(found) == 'table' then
  return found
end
local skipped = tonumber(ARGV[3])
local last = math.min(skipped + tonumber(ARGV[4]), found) - 1
if skipped > last then
  return {}
end
local first
if ARGV[5] == '1' then
  first = redis.call('ZCOUNT', KEYS[1], '(' .. ARGV[2], '+inf')
else
  first = redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[1])
end
local range = {
  'ZRANGE',
  KEYS[1],
  string.format('%.0f', first + skipped),
  string.format('%.0f', first + last)
}
if ARGV[5] == '1' then
  range[#range + 1] = 'REV'
end
if ARGV[6] == '1' then
  range[#range + 1] = 'WITHSCORES'
end
return redis.call(unpack(range))
