-- Expects room.lua, rules.lua; ARGV from FIRST: visitor, epoch, place, heir, void_until, and again.
-- Gives places of waiting visitors to others. Answers: whether the room is new, and for each 1 if the place belongs to the heir, otherwise 0.

-- MoveRequest.MOST in the core.
local MOVES_MOST = 10000

local function move(visitor, epoch, place, heir, void_until)
  if epoch ~= room.epoch then
    return false
  elseif is_void(visitor) then
    return moved_to(visitor) == heir
  elseif not is_issued(place) or is_used_up(place) or visitor == heir or is_void(heir) or pass_of(heir)
      or kept_for(heir) or call('HLEN', MOVED) >= MOVES_MOST then
    return false
  end
  local ending = rename_pass(visitor, heir)
  move_user(visitor, heir)
  call('HSET', MOVED, visitor, heir)
  make_void(visitor, math.max(void_until, ending))
  return true
end

local answer = {fresh and 1 or 0}
for n = FIRST, #ARGV, 5 do
  local moved = move(ARGV[n], tonumber(ARGV[n + 1]), tonumber(ARGV[n + 2]), ARGV[n + 3], tonumber(ARGV[n + 4]))
  answer[#answer + 1] = moved and 1 or 0
end
save_all()
return answer
