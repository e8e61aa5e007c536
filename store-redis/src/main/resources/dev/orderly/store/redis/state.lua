-- Expects room.lua, rules.lua, answer.lua.
-- Answers the state of the room.

save_all()
return state()
