-- Expects presence.lua.
-- Forgets the node.
-- Answers the users who go offline by that.

local answer = {is_known() and 1 or 0}
forget(NODE, answer)
return answer
