-- Expects room.lua, rules.lua; ARGV from FIRST: visitor, present_until, pass_until, leaf and tier (empty for none), and again.
-- Issues places. Answers: whether the room is new, its epoch, and for each 1 (inside) or 0, the place, the number of visitors ahead.

local known = present()
-- By number of the line: the covered place, the visitors at the door, the present visitors.
local limits, doors, waiting = {}, {}, {}
local presences, answer = {}, {fresh and 1 or 0, room.epoch}
local tickets = {}

for n = FIRST, #ARGV, 5 do
  local visitor, present_until, pass_until = ARGV[n], tonumber(ARGV[n + 1]), tonumber(ARGV[n + 2])
  local number = has_tiers() and number_of(ARGV[n + 4]) or 0
  limits[number] = limits[number] or covered(number)
  doors[number] = doors[number] or door_of(number)
  waiting[number] = waiting[number] or not has_tiers() and known or present_of(number, (number + 1) * LINE - 1)
  local limit, length = limits[number], length_of(number)
  local ahead = length - cursor_of(number) + doors[number]
  length = length + 1
  if number == 0 then
    set(room, 'length', length)
  else
    lines[number].length = length
  end
  local leaf = ARGV[n + 3]
  local in_lobby = number == 0 and room.lobby_open == 1 and (leaf ~= '' or room.lobby_base >= 0)
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
    doors[number] = waiting[number]
    enter(length)
    extend(visitor, length, pass_until, false)
  elseif not in_lobby and length <= math.max(horizon_of(number), limit) and present_until > now then
    presences[#presences + 1] = length
    presences[#presences + 1] = present_until
    known = known + 1
    waiting[number] = waiting[number] + 1
  end
  answer[#answer + 1] = is_in and 1 or 0
  answer[#answer + 1] = length
  answer[#answer + 1] = ahead
end

seen(presences, nil)
bulk(tickets, 'HSET', LOBBY)
save_all()
return answer
