-- Expects presence.lua; ARGV from FIRST: users.
-- Answers those users who are connected to any node but this one.

local answer = {1}
for n = FIRST, #ARGV do
  local entries = some(BY_USER, ARGV[n], 2)
  if #entries > 0 and (#entries == 2 or entries[1] ~= ARGV[n] .. '\0' .. NODE) then
    answer[#answer + 1] = ARGV[n]
  end
end
return answer
