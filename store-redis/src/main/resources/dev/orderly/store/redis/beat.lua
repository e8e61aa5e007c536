-- Expects presence.lua; ARGV from FIRST, in milliseconds: dead_after, gap, grace, moment.
-- A node's beat. Also forgets dead nodes, by the server's clock and the rule of NodeLiveness in the core. dead_after:
-- silence after which a node is dead; gap: silence of all nodes after which none is declared dead, for the time of
-- grace; moment: in tests in place of the server's. Answers the users who are offline because their nodes are dead.

local dead_after, gap, grace = tonumber(ARGV[FIRST]), tonumber(ARGV[FIRST + 1]), tonumber(ARGV[FIRST + 2])
local moment = tonumber(ARGV[FIRST + 3])
if not moment then
  local time = call('TIME')
  moment = time[1] * 1000 + math.floor(time[2] / 1000)
end

local answer = {is_known() and 1 or 0}
local newest = call('ZRANGE', NODES, -1, -1, 'WITHSCORES')[2]
if newest and tonumber(newest) < moment - gap then
  call('SET', NOT_BEFORE, string.format('%.0f', moment + grace))
end
-- Beats in the future were left by a clock that was set back since: they become now.
for _, ahead in ipairs(call('ZRANGE', NODES, '(' .. string.format('%.0f', moment + 1000), '+inf', 'BYSCORE')) do
  call('ZADD', NODES, moment, ahead)
end
call('ZADD', NODES, moment, NODE)
local not_before = tonumber(call('GET', NOT_BEFORE) or '0')
if not_before <= moment or not_before > moment + grace then
  local before = '(' .. string.format('%.0f', moment - dead_after)
  for _, dead in ipairs(call('ZRANGE', NODES, '-inf', before, 'BYSCORE')) do
    forget(dead, answer)
  end
end
return answer
