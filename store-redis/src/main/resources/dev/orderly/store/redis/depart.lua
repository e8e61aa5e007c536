-- Expects room.lua, rules.lua; ARGV from FIRST: visitor, epoch, place (0 if not known), void_until, and again.
-- Ends passes and revokes tickets. Answers: whether the room is new.

for n = FIRST, #ARGV, 4 do
  local visitor, epoch, place, void_until = ARGV[n], tonumber(ARGV[n + 1]), tonumber(ARGV[n + 2]), tonumber(ARGV[n + 3])
  if epoch == room.epoch then
    local pass = pass_of(visitor)
    place = pass and pass.place or place
    local known = is_issued(place) and not in_lobby(place) and not moved_to(visitor)
    if pass or not known or is_used_up(place) then
      make_void(visitor, math.max(void_until, pass and pass.ending or 0))
    end
    end_user(visitor, void_until)
    if known then
      end_pass(visitor)
      not_present(place)
      use_up(place, now)
    end
  end
end
save_all()
return {fresh and 1 or 0}
