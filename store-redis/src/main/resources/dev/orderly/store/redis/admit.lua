-- Expects room.lua, rules.lua; ARGV from FIRST: visitor, epoch, place, present_until, pass_until, kind, and again.
-- Records visitors as present, and admits those for whom an admission is free, the lower places first. Answers: whether the room is new, and for each request a letter
-- and two numbers: 'I' (inside) with the end of the pass, 'W' (waits) with whether the visitor is called and how many
-- are ahead, 'S' (spent).

local SIZE = 6
local BEFORE_MOST = 1000

local visitors, requests = {}, {}
for n = FIRST, #ARGV, SIZE do
  visitors[#visitors + 1] = ARGV[n]
  requests[#requests + 1] = {
    visitor = ARGV[n], epoch = tonumber(ARGV[n + 1]), place = tonumber(ARGV[n + 2]),
    present_until = tonumber(ARGV[n + 3]), pass_until = tonumber(ARGV[n + 4]), kind = ARGV[n + 5],
  }
end
look_up(visitors)

-- Whether the visitor has a good ticket and no pass.
local function may_wait(request)
  return request.epoch == room.epoch and is_issued(request.place)
    and not pass_of(request.visitor) and not is_used_up(request.place) and not is_void(request.visitor)
end

local function answer_to(request)
  local taken = request.kind ~= 'UNTAKEN'
  local pass = request.epoch == room.epoch and pass_of(request.visitor)
  if pass and not is_void(request.visitor) then
    -- Showing a pass again does not extend it.
    local first = request.kind == 'RECORDED' or (taken and not is_used_up(pass.place))
    return 'I', first and extend(request.visitor, pass.place, request.pass_until, true) or pass.ending, 0
  end
  if not may_wait(request) then
    if request.kind == 'RECORDED' and request.epoch == room.epoch then
      admit(request.place) -- the visitor left before the gate's admission was recorded
    end
    return 'S', 0, 0
  end
  if request.kind == 'RECORDED' then
    call_up_to(request.place)
    admit(request.place)
    return 'I', extend(request.visitor, request.place, request.pass_until, true), 0
  end
  local before = present_before(request.place)
  if request.place > cursor_of(line_of(request.place)) then
    return 'W', 0, math.min(before, BEFORE_MOST)
  end
  local most = free()
  if before < most and turns_before(request.place, before) < most then
    enter(request.place)
    return 'I', extend(request.visitor, request.place, request.pass_until, taken), 0
  end
  return 'W', 1, math.min(before, BEFORE_MOST)
end

local presences = {}
for _, request in ipairs(requests) do
  if request.present_until > now and may_wait(request) then
    presences[#presences + 1] = request.place
    presences[#presences + 1] = request.present_until
  end
end
seen(presences, nil)

local answer = {fresh and 1 or 0}
for _, request in ipairs(requests) do
  local what, first, second = answer_to(request)
  answer[#answer + 1] = what
  answer[#answer + 1] = first
  answer[#answer + 1] = second
end
save_all()
return answer
