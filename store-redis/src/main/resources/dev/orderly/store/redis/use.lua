-- Expects room.lua, rules.lua; ARGV from FIRST: place.
-- What a place is used for. Answers: whether the room is new, whether the ticket is used up (1 or 0), and the visitor
-- with a live pass of the place (or an empty text).

local place = tonumber(ARGV[FIRST])
local holder = call('HGET', HOLDERS, text(place))
local held = holder and pass_of(holder)
save_all()
return {fresh and 1 or 0, is_used_up(place) and 1 or 0, held and held.place == place and holder or ''}
