-- Expects room.lua, rules.lua; ARGV from FIRST: number of the line, most.
-- The present visitors of a line with the lowest places, at most so many. Answers: whether the room is new, its epoch, its
-- horizon, and for each visitor the place and the end of the presence.

local number, most = tonumber(ARGV[FIRST]), tonumber(ARGV[FIRST + 1])
local start, known = number * LINE, number == 0 or lines[number] ~= nil
local places = call('ZRANGE', PLACES, text(start), text(start + LINE - 1), 'BYSCORE', 'LIMIT', 0, most)
local answer = {fresh and 1 or 0, room.epoch, known and horizon_of(number) or start}
for from = 1, #places, STEP do
  local some = {}
  for n = from, math.min(from + STEP - 1, #places) do
    some[#some + 1] = places[n]
  end
  for n, ending in ipairs(call('ZMSCORE', PRESENT, unpack(some))) do
    answer[#answer + 1] = tonumber(some[n])
    answer[#answer + 1] = tonumber(ending)
  end
end
save_all()
return answer
