-- Expects room.lua, rules.lua; ARGV from FIRST: visitor, present_until, pass_until, leaf (empty for none), and again.
-- Issues places. Answers: whether the room is new, its epoch, and for each 1 (inside) or 0, the place, the number of visitors ahead.

local limit = covered()
local known, door = present(), at_the_door()
local presences, answer = {}, {fresh and 1 or 0, room.epoch}
local length = room.length
local tickets = {}

for n = FIRST, #ARGV, 4 do
  local visitor, present_until, pass_until = ARGV[n], tonumber(ARGV[n + 1]), tonumber(ARGV[n + 2])
  local ahead = length - room.cursor + door
  length = length + 1
  local leaf = ARGV[n + 3]
  local in_lobby = room.lobby_open == 1 and (leaf ~= '' or room.lobby_base >= 0)
  if in_lobby then
    if room.lobby_base < 0 then
      set(room, 'lobby_base', length - 1)
      set(room, 'voids', STAMP)
    end
    tickets[#tickets + 1] = text(length)
    tickets[#tickets + 1] = leaf ~= '' and leaf or string.rep('0', 64)
  end
  local is_in = not in_lobby and pass_until > now and length <= limit and known < free()
  if is_in then
    call_up_to(length)
    door = known
    enter()
    extend(visitor, length, pass_until, false)
  elseif not in_lobby and length <= math.max(live.horizon, limit) and present_until > now then
    presences[#presences + 1] = length
    presences[#presences + 1] = present_until
    known = known + 1
  end
  answer[#answer + 1] = is_in and 1 or 0
  answer[#answer + 1] = length
  answer[#answer + 1] = ahead
end

set(room, 'length', length)
seen(presences, nil)
bulk(tickets, 'HSET', LOBBY)
save_all()
return answer
