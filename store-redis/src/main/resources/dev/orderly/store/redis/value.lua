-- Expects values.lua.
-- Answers the version and the text of a value; nothing if there is none.
return current()
