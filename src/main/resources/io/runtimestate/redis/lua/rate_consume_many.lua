-- Decides checks one after the other: each charges every counter of its own, or none of them.
-- KEYS: the counters, each once
-- ARGV: 1 for each check a byte that tells the place of its terms, and one for each of its keys that
--       tells the place of the key, all from 0; then the terms that differ, each as one text of the
--       arguments of rate_consume
-- Reply, as one text: a line for each check: the reply of rate_consume, or '-' and the error of a counter
--        that is none or of a server that takes no writes
-- The first charge is written at once: a server that refuses it, as a full one does, refuses every
-- check. Once it takes one it takes all of this call, so the others are added up and written at the
-- end. A counter without expiry gets one at the very end, since that would open a full server.
-- What is left, with an index above 32 bits of it, has at most 11 digits, so concat writes all of them.
if redis.replicate_commands then
  redis.replicate_commands()
end
local byte, find, call = string.byte, string.find, redis.pcall

-- The line of an error; that of a server before 7.0 may end with a line end of its own.
local function refusal(err)
  return '-' .. string.gsub(err, '%s+$', '')
end

local counts = redis.call('MGET', unpack(KEYS))
local missing, errors = {}, {}
for i = 1, #KEYS do
  local text = counts[i] or call('GET', KEYS[i]) -- MGET hides other types
  if not text then
    counts[i], missing[i] = 0, true
  elseif type(text) == 'table' then
    counts[i], errors[i] = math.huge, refusal(text.err)
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
  local flags = words()
  if flags == '1' or flags == '3' then
    now = now or redis.call('TIME')
    time = now[1] .. ' ' .. now[2]
  end
  for number in words do
    term[#term + 1] = tonumber(number)
  end
  term.keys = (flags == '2' or flags == '3') and #term / 2 or #term
  term.admitted, term.rejected = '1 ' .. time .. ' ', '0 ' .. time .. ' '
  terms[place - 2] = term
end

local plan, at, size = ARGV[1], 1, #ARGV[1]
local out, o = {}, 0
local owed, expiries, refusals, writable = {}, {}, {}, false
while at <= size do
  local term = terms[byte(plan, at)]
  local first, last = at + 1, at + term.keys
  local answer
  local least, tightest = math.huge, 0
  for i = first, last do
    local key = byte(plan, i) + 1
    local left = term[i - at] - counts[key]
    if left < 0 then
      answer = errors[key]
      if not answer then
        answer = term.rejected .. string.format('%.0f', i - first)
        refusals[key] = refusals[key] or term.expiry
      end
      break
    end
    local later = term[term.keys + i - at]
    if later then
      left = math.max(0, left - later)
    end
    if left < least then
      least, tightest = left, i - first
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
          answer = refusal(done.err)
          break
        end
        missing[key], writable = nil, true
      end
      counts[key] = counts[key] + term.cost
    end
  end
  if answer then
    out[o + 1], out[o + 2] = answer, ''
  else
    out[o + 1], out[o + 2] = term.admitted, tightest * 4294967296 + least
  end
  out[o + 3] = '\n'
  o = o + 3
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
