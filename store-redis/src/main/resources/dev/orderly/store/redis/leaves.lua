-- Expects room.lua, rules.lua; ARGV from FIRST: epoch, place, leaf, and again.
-- Replaces leaves of tickets in the open lobby. Answers: whether the room is new, and for each whether it is stored.

local answer = {fresh and 1 or 0}
for n = FIRST, #ARGV, 3 do
  local place = tonumber(ARGV[n + 1])
  local open = room.lobby_open == 1 and room.lobby_base >= 0 and tonumber(ARGV[n]) == room.epoch
    and is_issued(place) and place > before_lobby(line_of(place))
  if open then
    call('HSET', LOBBY, text(place), ARGV[n + 2])
  end
  answer[#answer + 1] = open and 1 or 0
end
save_all()
return answer
