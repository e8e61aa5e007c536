-- Says that the node lives, and forgets those that do not: now, and before when a last beat means death.
-- Answers who is offline because their nodes died.

local answer = {is_known() and 1 or 0}
call('ZADD', NODES, ARGV[FIRST], NODE)
for _, dead in ipairs(call('ZRANGE', NODES, '-inf', '(' .. ARGV[FIRST + 1], 'BYSCORE')) do
  forget(dead, answer)
end
return answer
