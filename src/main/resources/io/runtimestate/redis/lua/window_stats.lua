-- Sums the numbers that the members from a score on end with, after their last colon.
-- KEYS: 1 the score
-- ARGV: 1 the lowest score
-- Reply: the sum and the number of members with a number above 0, as texts; nil for more than 512
--        members; or the error of another type
-- A number of up to 20 digits is more than a double can hold: it is kept in two halves, the lower
-- one of 10 digits. The largest that counts is 2^64 - 1 = 1844674407 3709551615.
local members = redis.pcall('ZRANGE', KEYS[1], ARGV[1], '+inf', 'BYSCORE', 'LIMIT', '0', '513')
if members.err then
  return members
end
if #members > 512 then
  return false
end

local function too_large(high, low)
  return high > 1844674407 or (high == 1844674407 and low > 3709551615)
end

local high, low, positive = 0, 0, 0
for _, member in ipairs(members) do
  -- Step by step: one pattern for all of it would try every way to share out a run of zeros.
  local tail = string.match(member, '^.*:(.*)$')
  local number = tail and string.match(tail, '^%+?([0-9]+)$')
  local digits = number and string.match(number, '^0*(.*)$') or ''
  if digits ~= '' and #digits <= 20 then
    local own_high = tonumber(string.sub(digits, 1, -11)) or 0
    local own_low = tonumber(string.sub(digits, -10))
    if not too_large(own_high, own_low) then
      high = high + own_high
      low = low + own_low
      positive = positive + 1
    end
  end
end

local carry = math.floor(low / 10000000000)
high = high + carry
low = low - carry * 10000000000
if too_large(high, low) then
  high, low = 1844674407, 3709551615
end
local sum
if high > 0 then
  sum = string.format('%.0f%010.0f', high, low)
else
  sum = string.format('%.0f', low)
end
return { sum, string.format('%.0f', positive) }
