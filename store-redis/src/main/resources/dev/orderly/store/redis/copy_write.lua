-- Expects KEYS of RoomKeys.of; ARGV: KIND, MOMENT of the copy, the parts of each record.
-- Writes records of a room of a copy; the same call again changes nothing. Moments are milliseconds.

local ROOM, PASS, ENDS, HOLDERS = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local USED, USED_ENDS, VOIDED, WINDOW, MOVED = KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local LOBBY, USERS, OWNERS, USER_ENDS = KEYS[10], KEYS[11], KEYS[12], KEYS[13]
local KIND, MOMENT = ARGV[1], ARGV[2]
local call = redis.call

local function bits(hex)
  return (string.gsub(hex, '..', function(digits) return string.char(tonumber(digits, 16)) end))
end

if KIND == 'ROOMS' then
  for n = 3, #ARGV, 2 do
    call('HSET', ROOM, ARGV[n], ARGV[n + 1])
  end
elseif KIND == 'USED_PLACES' then
  for n = 3, #ARGV, 2 do
    call('HSET', USED, ARGV[n], bits(ARGV[n + 1]))
    call('ZADD', USED_ENDS, MOMENT, ARGV[n])
  end
elseif KIND == 'PASSES' then
  for n = 3, #ARGV, 3 do
    call('HSET', PASS, ARGV[n], ARGV[n + 1] .. ' ' .. ARGV[n + 2])
    call('ZADD', ENDS, ARGV[n + 2], ARGV[n])
    call('HSET', HOLDERS, ARGV[n + 1], ARGV[n])
  end
elseif KIND == 'REVOCATIONS' then
  for n = 3, #ARGV, 3 do
    call('ZADD', VOIDED, ARGV[n + 1], ARGV[n])
    if ARGV[n + 2] ~= '' then
      call('HSET', MOVED, ARGV[n], ARGV[n + 2])
    end
  end
  call('HSET', ROOM, 'voids', 'copy-' .. MOMENT)
elseif KIND == 'LOBBY_TICKETS' then
  for n = 3, #ARGV, 2 do
    call('HSET', LOBBY, ARGV[n], ARGV[n + 1])
  end
elseif KIND == 'USER_PLACES' then
  for n = 3, #ARGV, 3 do
    call('HSET', USERS, ARGV[n], ARGV[n + 1])
    call('HSET', OWNERS, string.match(ARGV[n + 1], '^%S+'), ARGV[n])
    call('ZADD', USER_ENDS, ARGV[n + 2], ARGV[n])
  end
elseif KIND == 'ADMISSIONS' then
  local last = call('ZRANGE', WINDOW, 0, 0, 'REV', 'WITHSCORES')
  local total, at = tonumber(last[1] or 0), tonumber(last[2] or -1)
  for n = 3, #ARGV, 2 do
    if tonumber(ARGV[n]) > at then
      total = total + tonumber(ARGV[n + 1])
      call('ZADD', WINDOW, ARGV[n], string.format('%.0f', total))
    end
  end
else
  error('There is no kind ' .. KIND)
end
return {}
