-- Expects room.lua, rules.lua; ARGV from FIRST: visitor, epoch, place, until, may_revive (1 or 0), and again.
-- Extends passes; may_revive: also one that has ended.
-- Answers: whether the room is new, and for each whether the pass lives.

local answer = {fresh and 1 or 0}
for n = FIRST, #ARGV, 5 do
  local visitor, epoch, place, ending = ARGV[n], tonumber(ARGV[n + 1]), tonumber(ARGV[n + 2]), tonumber(ARGV[n + 3])
  local may_revive = ARGV[n + 4] == '1'
  local lives = epoch == room.epoch and not is_void(visitor)
    and (pass_of(visitor) ~= nil or (may_revive and is_issued(place) and can_revive(visitor)))
  if lives then
    extend(visitor, place, ending, true)
  end
  answer[#answer + 1] = lives and 1 or 0
end
save_all()
return answer
