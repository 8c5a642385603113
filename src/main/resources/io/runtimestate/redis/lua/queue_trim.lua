-- Removes the oldest entries, also from all pending lists; one step of a trim.
-- KEYS: 1 the stream
-- ARGV: 1 how many remain at most, 2 how many to remove at most
-- Reply: how many were removed, how many there were to remove, how many of the removed ones some
--        group had not finished; or the error of a key of another type
local length = redis.pcall('XLEN', KEYS[1])
if type(length) == 'table' then
  return length
end
local surplus = math.max(length - tonumber(ARGV[1]), 0)
local count = math.min(surplus, tonumber(ARGV[2]))
if count == 0 then
  return {0, 0, 0}
end
return {count, surplus, remove_oldest(KEYS[1], count, length)}
