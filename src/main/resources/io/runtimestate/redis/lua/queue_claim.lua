-- Takes over pending entries that have been idle for long enough, one page in id order.
-- KEYS: 1 the stream
-- ARGV: 1 group, 2 consumer, 3 idle time in ms, 4 lowest id, 5 how many rows to look at, 6 how many
--       to take at most
-- Reply: the id of the first row not looked at, or 0-0; the entries as id, delivery count, fields;
--        the ids whose entry is gone. Or an error: no such stream or group, another type
local min_idle, examine, take = tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[6])
local from, next_id, examined = ARGV[4], '0-0', 0
local ids, counts = {}, {}
repeat
  local page = math.min(1000, examine - examined + 1)
  local rows = redis.pcall('XPENDING', KEYS[1], ARGV[1], from, '+', page)
  if rows.err then
    return refused(KEYS[1], rows)
  end
  for _, row in ipairs(rows) do
    if examined == examine or #ids == take then
      next_id = row[1]
      break
    end
    examined = examined + 1
    if row[3] >= min_idle then
      ids[#ids + 1] = row[1]
      counts[#counts + 1] = string.format('%.0f', row[4] + 1)
    end
  end
  if #rows > 0 then
    from = '(' .. rows[#rows][1]
  end
until next_id ~= '0-0' or #rows < page

local entries, gone = {}, {}
if #ids > 0 then
  -- an entry without body is a nil before 7.0, and left out of the reply since
  local found = {}
  local claimed = redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, unpack(ids))
  for i = 1, #claimed do
    if claimed[i] then
      found[claimed[i][1]] = claimed[i][2]
    end
  end
  for i, id in ipairs(ids) do
    if found[id] then
      entries[#entries + 1] = {id, counts[i], found[id]}
    else
      gone[#gone + 1] = id
    end
  end
  if #gone > 0 then
    redis.call('XACK', KEYS[1], ARGV[1], unpack(gone))
  end
end
return {next_id, entries, gone}
