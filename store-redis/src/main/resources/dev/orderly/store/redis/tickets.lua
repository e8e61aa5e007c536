-- Expects room.lua, rules.lua; ARGV from FIRST: place, most.
-- The leaves of consecutive tickets. Answers: whether the room is new, and the leaves.

local from, most = tonumber(ARGV[FIRST]), tonumber(ARGV[FIRST + 1])
local last = is_issued(from) and math.min(length_of(line_of(from)), from + most - 1) or 0
local answer = {fresh and 1 or 0}
for first = from, last, STEP do
  local some = {}
  for place = first, math.min(first + STEP - 1, last) do
    some[#some + 1] = text(place)
  end
  for _, leaf in ipairs(call('HMGET', LOBBY, unpack(some))) do
    answer[#answer + 1] = leaf or string.rep('0', 64)
  end
end
save_all()
return answer
