-- A gate's word on who is present: gate, epoch, up to where it has told of all, from which end on and until when it may let
-- passes go on, then place and until when, and again.
-- Answers the state.

local gate, epoch, told_up_to = ARGV[FIRST], tonumber(ARGV[FIRST + 1]), tonumber(ARGV[FIRST + 2])
local BEGIN = FIRST + 5
local current = epoch == room.epoch

-- Which of these places were given a pass that lives.
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

local function is_theirs(place)
  local before = call('HGET', TOLD, place)
  return not before or before == gate
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
      -- Of one place the words count in their order.
      seen(presences, gate)
      presences = {}
      if is_theirs(ARGV[n]) then
        not_present(place)
      end
    end
  end
  seen(presences, gate)
end

gate_heard(gate, current and told_up_to or 0)
call('HSET', LEASES, gate, ARGV[FIRST + 3] .. ' ' .. ARGV[FIRST + 4])
live.kept_until = 0
if live.kept < now then
  expire() -- what the lease before this one kept
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
