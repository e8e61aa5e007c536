-- Notes who stands at the door, and lets in who may: visitor, epoch, place, present until, pass until, kind, and again, the
-- lower places first.
-- Answers: whether the room is new, and for each what became of it and two numbers: 'I' until when, 'W' whether called
-- and how many are before, 'S'.

local SIZE = 6
local BEFORE_MOST = 1000

local visitors, claims = {}, {}
for n = FIRST, #ARGV, SIZE do
  visitors[#visitors + 1] = ARGV[n]
  claims[#claims + 1] = {
    visitor = ARGV[n], epoch = tonumber(ARGV[n + 1]), place = tonumber(ARGV[n + 2]),
    present_until = tonumber(ARGV[n + 3]), pass_until = tonumber(ARGV[n + 4]), kind = ARGV[n + 5],
  }
end
look_up(visitors)

-- Whether the claim is of a visitor who has a good ticket and no pass.
local function waits(claim)
  return claim.epoch == room.epoch and is_issued(claim.place)
    and not pass_of(claim.visitor) and not is_used_up(claim.place) and not is_void(claim.visitor)
end

local function answer_to(claim)
  local taken = claim.kind ~= 'KEPT'
  local pass = claim.epoch == room.epoch and pass_of(claim.visitor)
  if pass and not is_void(claim.visitor) then
    -- Taking a pass that was taken before puts its end off no further.
    local first = claim.kind == 'LET_IN' or (taken and not is_used_up(pass.place))
    return 'I', first and extend(claim.visitor, pass.place, claim.pass_until, true) or pass.ending, 0
  end
  if not waits(claim) then
    if claim.kind == 'LET_IN' and claim.epoch == room.epoch then
      admit() -- and left again before it was recorded
    end
    return 'S', 0, 0
  end
  if claim.kind == 'LET_IN' then
    call_up_to(claim.place)
    admit()
    return 'I', extend(claim.visitor, claim.place, claim.pass_until, true), 0
  end
  local before = present_before(claim.place)
  if claim.place > room.cursor then
    return 'W', 0, math.min(before, BEFORE_MOST)
  end
  if before < free() then
    enter()
    return 'I', extend(claim.visitor, claim.place, claim.pass_until, taken), 0
  end
  return 'W', 1, math.min(before, BEFORE_MOST)
end

local presences = {}
for _, claim in ipairs(claims) do
  if claim.present_until > now and waits(claim) then
    presences[#presences + 1] = claim.place
    presences[#presences + 1] = claim.present_until
  end
end
seen(presences, nil)

local answer = {fresh and 1 or 0}
for _, claim in ipairs(claims) do
  local what, first, second = answer_to(claim)
  answer[#answer + 1] = what
  answer[#answer + 1] = first
  answer[#answer + 1] = second
end
save_all()
return answer
