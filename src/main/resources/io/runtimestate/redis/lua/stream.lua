-- What the scripts on streams share; it stands before each of them and is none itself.

-- A group or consumer as XINFO tells it, by the names of its properties.
local function named(row)
  local properties = {}
  for i = 1, #row, 2 do
    properties[row[i]] = row[i + 1]
  end
  return properties
end

-- The groups of a stream, none if it is missing; or nothing and the error of another type.
local function groups_of(key)
  local rows = redis.pcall('XINFO', 'GROUPS', key)
  if rows.err then
    if string.find(rows.err, 'no such key', 1, true) then
      return {}
    end
    return nil, rows
  end
  local groups = {}
  for i, row in ipairs(rows) do
    groups[i] = named(row)
  end
  return groups
end

-- The error of a command on a group, saying which is missing: the stream or the group.
local function refused(key, reply)
  if string.find(reply.err, 'NOGROUP', 1, true) and redis.call('EXISTS', key) == 0 then
    return redis.error_reply('NOSTREAM no such stream')
  end
  return reply
end

-- Whether one id is below another; halves may have 20 digits, more than a number holds.
local function below(a, b)
  local a1, a2 = string.match(a, '^(%d+)-(%d+)$')
  local b1, b2 = string.match(b, '^(%d+)-(%d+)$')
  if a1 == b1 then
    a1, b1 = a2, b2
  end
  if #a1 ~= #b1 then
    return #a1 < #b1
  end
  return a1 < b1
end

-- The pending rows of those of the ids (from that place in ARGV) that are pending, for the consumer
-- if it is not empty; or nothing and an error.
local function pending_of(key, group, consumer, from)
  local check = redis.pcall('XPENDING', key, group, '-', '+', 1)
  if check.err then
    return nil, refused(key, check)
  end
  local rows = {}
  for i = from, #ARGV do
    local row = redis.call('XPENDING', key, group, ARGV[i], ARGV[i], 1)[1]
    if row and (consumer == '' or row[2] == consumer) then
      rows[#rows + 1] = row
    end
  end
  return rows
end

-- The ids of pending rows.
local function ids_of(rows)
  local ids = {}
  for i, row in ipairs(rows) do
    ids[i] = row[1]
  end
  return ids
end

-- Ends entries in all groups: what is gone is not pending.
local function end_pending(key, groups, ids)
  for _, group in ipairs(groups) do
    if group.pending > 0 then
      redis.call('XACK', key, group.name, unpack(ids))
    end
  end
end

-- Removes the oldest entries, also from all pending lists, and answers how many of them some group
-- had not finished: not received, or received and not acknowledged. Ids of pending entries are read
-- from the pending lists, because a range of a stream would copy the bodies too.
local function remove_oldest(key, count, length)
  local groups = groups_of(key)
  local lowest
  local holding = {}
  for _, group in ipairs(groups) do
    local position = group['last-delivered-id']
    if not lowest or below(position, lowest) then
      lowest = position
    end
    if group.pending > 0 then
      holding[#holding + 1] = group.name
    end
  end
  local unfinished = 0
  if lowest then
    local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1][1]
    if below(lowest, last) then
      unfinished = count - #redis.call('XRANGE', key, '-', lowest, 'COUNT', count)
    end
  end
  redis.call('XTRIM', key, 'MAXLEN', '=', string.format('%.0f', length - count))
  if #holding == 0 then
    return unfinished
  end
  local first = redis.call('XRANGE', key, '-', '+', 'COUNT', 1)[1]
  local before = first and '(' .. first[1] or '+'
  local seen = {}
  for _, name in ipairs(holding) do
    local rows
    repeat
      rows = redis.call('XPENDING', key, name, '-', before, 1000)
      local ids = ids_of(rows)
      for _, id in ipairs(ids) do
        if not seen[id] and not below(lowest, id) then
          seen[id] = true
          unfinished = unfinished + 1
        end
      end
      if #ids > 0 then
        redis.call('XACK', key, name, unpack(ids))
      end
    until #rows < 1000
  end
  return unfinished
end
