-- Expects room.lua, rules.lua; ARGV from FIRST: visitor.
-- What is kept of a visitor. Answers: whether the room is new, place (0 without a live pass), end and use (1 or 0) of the
-- pass, end of the revocation (0 without one), and the visitor who has the place now (or an empty text).

local visitor = ARGV[FIRST]
local pass = pass_of(visitor)
local void_until = call('ZSCORE', VOIDED, visitor)
save_all()
return {
  fresh and 1 or 0, pass and pass.place or 0, pass and pass.ending or 0, pass and is_used_up(pass.place) and 1 or 0,
  tonumber(void_until or 0), moved_to(visitor) or '',
}
