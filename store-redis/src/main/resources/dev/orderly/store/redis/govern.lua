-- Expects room.lua, rules.lua, answer.lua; ARGV from FIRST: governor, lease, limits, slowed, door, horizon, forget by.
-- A governor's step: the end of its lease, the reason for tighter limits, the wanted number of called visitors, the moment
-- before which used-up tickets may be forgotten. Answers the state, or only whether the room is new if another governor
-- holds the lease.

local GATE_ROUNDS = 10
local SETTLING = 5000

local governor, lease, limits, slowed = ARGV[FIRST], tonumber(ARGV[FIRST + 1]), ARGV[FIRST + 2], ARGV[FIRST + 3]
local door, horizon = tonumber(ARGV[FIRST + 4]), tonumber(ARGV[FIRST + 5])
local forget_before = tonumber(ARGV[FIRST + 6])

if live.governor and live.governor ~= governor and live.lease > now then
  save_all()
  return {fresh and 1 or 0}
end

-- Drops gates that were silent for too many steps, so that they no longer delay calls.
local function next_round()
  set(live, 'rounds', live.rounds + 1)
  for name, gate in pairs(gates()) do
    if live.rounds - gate.round > GATE_ROUNDS then
      call('HDEL', GATES, name)
    end
  end
end

-- After a restart a room that had waiting visitors admits nobody for this long, so that gates can report who is present
-- before anyone is overtaken.
local function settle()
  set(live, 'settled', live.settled or now + SETTLING)
  if now >= live.settled then
    set(live, 'settling', 0)
  end
end

-- Calls this many more present visitors, skips the absent, and calls nobody beyond the places that all gates have
-- reported.
local function call_present(missing, at_door)
  local last = math.min(room.length, covered())
  local nth = at_door + missing - 1
  local place = tonumber(call('ZRANGE', PLACES, text(nth), text(nth))[1] or MANY * MANY)
  call_up_to(math.min(place, last))
end

local function forget_voided()
  if call('EXISTS', MOVED) == 1 then
    bulk(call('ZRANGE', VOIDED, '-inf', text(now), 'BYSCORE'), 'HDEL', MOVED)
  end
  if call('ZREMRANGEBYSCORE', VOIDED, '-inf', text(now)) > 0 then
    set(room, 'voids', STAMP)
  end
end

set(live, 'governor', governor)
set(live, 'lease', lease)
next_round()
set(live, 'limits', limits)
set(live, 'slowed', slowed)
keep_to_limits()
settle()
set(live, 'horizon', math.max(live.horizon, horizon))
local wanted = calls() and door or math.min(door, admits())
local at_door = at_the_door()
if wanted > at_door then
  call_present(wanted - at_door, at_door)
end
set(room, 'crowded', present() > 0 and 1 or 0)
forget_voided()
forget_chunks(forget_before)
save_all()
return state()
