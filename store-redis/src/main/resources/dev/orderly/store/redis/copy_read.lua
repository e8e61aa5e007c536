-- Expects KEYS of RoomKeys.of; ARGV: KIND, FIRST rank, COUNT of entries.
-- Records of a room for a copy. Answers texts. Moments are milliseconds.

local PASS, ENDS, USED, USED_ENDS = KEYS[2], KEYS[3], KEYS[5], KEYS[6]
local VOIDED, WINDOW, MOVED, LOBBY = KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local USERS, USER_ENDS = KEYS[11], KEYS[13]
local KIND, FIRST, COUNT = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local call = redis.call

local function entries(key, from, number, ...)
  return call('ZRANGE', key, from, from + number - 1, ...)
end

-- Bits as hexadecimal digits, since answers are texts.
local function hex(bits)
  return (string.gsub(bits, '.', function(byte) return string.format('%02x', string.byte(byte)) end))
end

local function is_used_up(place)
  local chunk = math.floor(place / 256)
  local bits, offset = call('HGET', USED, string.format('%.0f', chunk)), place % 256
  return bits and math.floor(string.byte(bits, math.floor(offset / 8) + 1) / 2 ^ (offset % 8)) % 2 == 1
end

local answer = {}
if KIND == 'USED_PLACES' then
  for _, chunk in ipairs(entries(USED_ENDS, FIRST, COUNT)) do
    answer[#answer + 1] = chunk
    answer[#answer + 1] = hex(call('HGET', USED, chunk))
  end
elseif KIND == 'PASSES' then
  for _, visitor in ipairs(entries(ENDS, FIRST, COUNT)) do
    local place, ending = string.match(call('HGET', PASS, visitor) or '', '^(%d+) (%d+)$')
    answer[#answer + 1] = visitor
    answer[#answer + 1] = place
    answer[#answer + 1] = ending
    answer[#answer + 1] = is_used_up(tonumber(place)) and '1' or '0'
  end
elseif KIND == 'REVOCATIONS' then
  local found = entries(VOIDED, FIRST, COUNT, 'WITHSCORES')
  for n = 1, #found, 2 do
    answer[#answer + 1] = found[n]
    answer[#answer + 1] = found[n + 1]
    answer[#answer + 1] = call('HGET', MOVED, found[n]) or ''
  end
elseif KIND == 'LOBBY_TICKETS' then
  -- Ranks count the places of the first line, then those of the line of each tier; the first row of tiers is the first line.
  local length, tiers = unpack(call('HMGET', KEYS[1], 'length', 'tiers'))
  local lengths, before = {tonumber(length or 0)}, 0
  for last in string.gmatch(tiers or '', '\n%S+ %d+ (%d+)') do
    lengths[#lengths + 1] = tonumber(last) - #lengths * 2 ^ 44
  end
  for number = 0, call('EXISTS', LOBBY) == 1 and #lengths - 1 or -1 do
    local behind = before + lengths[number + 1]
    for rank = math.max(FIRST, before), math.min(FIRST + COUNT, behind) - 1 do
      answer[#answer + 1] = string.format('%.0f', number * 2 ^ 44 + rank - before + 1)
      answer[#answer + 1] = call('HGET', LOBBY, answer[#answer]) or ''
    end
    before = behind
  end
elseif KIND == 'USER_PLACES' then
  for _, user in ipairs(entries(USER_ENDS, FIRST, COUNT)) do
    answer[#answer + 1] = user
    answer[#answer + 1] = call('HGET', USERS, user)
  end
elseif KIND == 'ADMISSIONS' then
  return entries(WINDOW, FIRST, COUNT, 'WITHSCORES')
else
  error('There is no kind ' .. KIND)
end
return answer
