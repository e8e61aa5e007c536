-- Expects room.lua, rules.lua; ARGV from FIRST: most.
-- The present visitors with the lowest places, at most so many. Answers: whether the room is new, its epoch, its
-- horizon, and for each visitor the place and the end of the presence.

local most = tonumber(ARGV[FIRST])
local places = call('ZRANGE', PLACES, 0, most - 1)
local answer = {fresh and 1 or 0, room.epoch, live.horizon}
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
