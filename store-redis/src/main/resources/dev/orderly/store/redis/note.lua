-- Expects presence.lua; ARGV from FIRST: number of users that came, those, the users that left.
-- Records users who connected and disconnected. Answers the users who come online or go offline by that.

if not is_known() then
  return {0}
end
local came = tonumber(ARGV[FIRST])
local answer = {1}
for n = FIRST + 1, #ARGV do
  local user = ARGV[n]
  local of_user, of_node = user .. '\0' .. NODE, NODE .. '\0' .. user
  if n <= FIRST + came then
    local online = is_online(user)
    call('ZADD', BY_USER, 0, of_user)
    call('ZADD', BY_NODE, 0, of_node)
    if not online then
      answer[#answer + 1] = user
    end
  elseif call('ZREM', BY_USER, of_user) == 1 then
    call('ZREM', BY_NODE, of_node)
    if not is_online(user) then
      answer[#answer + 1] = user
    end
  end
end
return answer
