-- Expects room.lua, rules.lua, answer.lua; ARGV from FIRST: gate, epoch, covered_up_to, lease (2), draws known, covered of tiers, (place, until)...
-- A gate's report: the place up to which it has reported all, its lease (it may let passes that end after the first
-- moment go on until the second), and presences. Answers the state.

local gate, epoch, covered_up_to = ARGV[FIRST], tonumber(ARGV[FIRST + 1]), tonumber(ARGV[FIRST + 2])
local BEGIN = FIRST + 7
local current = epoch == room.epoch and tonumber(ARGV[FIRST + 5]) == room.drawn

-- For each of these places whether it has a live pass.
local function held(from, to)
  local places = {}
  for n = from, to, 2 do
    places[#places + 1] = ARGV[n]
  end
  local visitors, some, has = call('HMGET', HOLDERS, unpack(places)), {}, {}
  for _, visitor in ipairs(visitors) do
    some[#some + 1] = visitor or nil
  end
  look_up(some)
  for n, visitor in ipairs(visitors) do
    has[n] = visitor and pass_of(visitor) and true or false
  end
  return has
end

-- Whether this gate, or the visitor's own request, reported the place last.
local function is_own(place)
  local reporter = call('HGET', REPORTER, place)
  return not reporter or reporter == gate
end

local function take(from, to)
  local have_pass, presences = held(from, to), {}
  for n = from, to, 2 do
    local place, ending = tonumber(ARGV[n]), tonumber(ARGV[n + 1])
    if ending > now then
      if is_issued(place) and not have_pass[(n - from) / 2 + 1] and not is_used_up(place) then
        presences[#presences + 1] = place
        presences[#presences + 1] = ending
      end
    else
      -- Reports on the same place count in their order.
      seen(presences, gate)
      presences = {}
      if is_own(ARGV[n]) then
        not_present(place)
      end
    end
  end
  seen(presences, gate)
end

record_gate(gate, current and covered_up_to or 0, current and ARGV[FIRST + 6] or '')
call('HSET', LEASES, gate, ARGV[FIRST + 3] .. ' ' .. ARGV[FIRST + 4])
live.kept_until = 0
if live.kept < now then
  expire() -- ends the passes that the lease before this one kept
  active = taken_inside()
else
  read_leases()
end
if current then
  for from = BEGIN, #ARGV, STEP do
    take(from, math.min(from + STEP - 1, #ARGV))
  end
end
save_all()
return state()
