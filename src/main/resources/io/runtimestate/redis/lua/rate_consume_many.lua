-- Decides checks one after the other: each charges every counter of its own, or none of them.
-- KEYS: the counters, each once
-- ARGV: 1 for each check a byte that tells the place of its terms, and one for each of its keys that
--       tells the place of the key, all from 0; then the terms that differ, each as one text: cost,
--       expiry of a new counter in ms, whether the answer tells the time: 1 or 0, and for each key the
--       highest count that still admits
-- Reply, as one text: a line for each check: '1', the time in seconds and microseconds or 0 0, the new
--        count of each key; or '0', the time, the index from 0 of the first key without room; or '-'
--        and the error of a counter that is none or of a server that takes no writes
-- The first charge is written at once: a server that refuses it, as a full one does, refuses every
-- check. Once it takes one it takes all of this call, so the others are added up and written at the
-- end. A counter without expiry gets one at the very end, since that would open a full server.
-- A count of an admitted check is at most its limit, so concat writes all of its digits.
if redis.replicate_commands then
  redis.replicate_commands()
end
local byte, find, call = string.byte, string.find, redis.pcall
local counts = redis.call('MGET', unpack(KEYS))
local missing, errors = {}, {}
for i = 1, #KEYS do
  local text = counts[i] or call('GET', KEYS[i]) -- MGET hides other types
  if not text then
    counts[i], missing[i] = 0, true
  elseif type(text) == 'table' then
    counts[i], errors[i] = math.huge, '-' .. text.err
  elseif text == '0' or find(text, '^[1-9]%d*$') then
    counts[i] = text + 0
  else
    counts[i], errors[i] = math.huge, '-DAMAGED the counter is not a number'
  end
end

local terms, now = {}, nil
for place = 2, #ARGV do
  local words = string.gmatch(ARGV[place], '%S+')
  local term = { charge = words(), expiry = words() }
  term.cost = tonumber(term.charge)
  local time = '0 0'
  if words() == '1' then
    now = now or redis.call('TIME')
    time = now[1] .. ' ' .. now[2]
  end
  for ceiling in words do
    term[#term + 1] = tonumber(ceiling)
  end
  term.admitted, term.rejected = '1 ' .. time, '0 ' .. time .. ' '
  terms[place - 2] = term
end

local plan, at, size = ARGV[1], 1, #ARGV[1]
local out, o = {}, 0
local owed, expiries, refusals, writable = {}, {}, {}, false
while at <= size do
  local term = terms[byte(plan, at)]
  local first, last = at + 1, at + #term
  local answer
  for i = first, last do
    local key = byte(plan, i) + 1
    if counts[key] > term[i - at] then
      answer = errors[key]
      if not answer then
        answer = term.rejected .. string.format('%.0f', i - first)
        refusals[key] = refusals[key] or term.expiry
      end
      break
    end
  end
  if not answer then
    for i = first, last do
      local key = byte(plan, i) + 1
      if writable and not missing[key] then
        owed[key] = (owed[key] or 0) + term.cost
      else
        local done
        if missing[key] then
          done = call('SET', KEYS[key], term.charge, 'PX', term.expiry)
        else
          done = call('INCRBY', KEYS[key], term.charge)
        end
        if type(done) == 'table' and done.err then
          answer = '-' .. done.err
          break
        end
        missing[key], writable = nil, true
      end
      counts[key] = counts[key] + term.cost
    end
  end
  if answer then
    o = o + 1
    out[o] = answer
  else
    o = o + 1
    out[o] = term.admitted
    for i = first, last do
      out[o + 1] = ' '
      out[o + 2] = counts[byte(plan, i) + 1]
      o = o + 2
    end
  end
  o = o + 1
  out[o] = '\n'
  at = last + 1
end

for i = 1, #KEYS do
  if owed[i] then
    call('INCRBY', KEYS[i], string.format('%.0f', owed[i]))
  end
end
for i, expiry in pairs(refusals) do
  if redis.call('PTTL', KEYS[i]) == -1 then
    redis.call('PEXPIRE', KEYS[i], expiry)
  end
end
return table.concat(out)
