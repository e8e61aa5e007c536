-- Expects room.lua, rules.lua, answer.lua; ARGV from FIRST: what, value.
-- An operator's change. Answers the state.

local what, value = ARGV[FIRST], ARGV[FIRST + 1]

-- Begins a new epoch with an empty line. Earlier admissions still count towards the rate; gates have to report again.
local function begin_anew()
  for field, first in pairs({epoch = room.epoch + 1, length = 0, cursor = 0, crowded = 0, granted = 0, voids = STAMP}) do
    set(room, field, first)
  end
  set(live, 'horizon', 0)
  set(live, 'settling', 0)
  call('UNLINK', PASS, ENDS, HOLDERS, USED, USED_ENDS, VOIDED, MOVED, PLACES, PRESENT, REPORTER)
  call('HSET', PACE, 'total', 0)
  for name, gate in pairs(gates()) do
    call('HSET', GATES, name, '0 ' .. text(gate.round))
  end
  active, passes, chunks = 0, {}, {}
end

if what == 'MODE' then
  set(room, 'mode', value)
elseif what == 'MESSAGE' then
  set(room, 'message', value)
elseif what == 'OVERRIDE' then
  set(room, 'override', value)
elseif what == 'OPENINGS' then
  -- value: the moment from which it is too late; then the stored changes that the caller saw, and the new ones.
  if now < tonumber(value) and (room.openings or '') == ARGV[FIRST + 2] then
    set(room, 'openings', ARGV[FIRST + 3])
  end
elseif what == 'ADMIT' then
  set(room, 'granted', math.min(MANY, room.granted + tonumber(value)))
elseif what == 'EPOCH' then
  begin_anew()
else
  error('There is no change ' .. tostring(what))
end
save_all()
return state()
