-- Expects room.lua, rules.lua, answer.lua; ARGV from FIRST: governor, lease, limits, slowed, door, horizon, forget by,
-- and in a room with tiers: the share of the first line, the reach, and name and share of each line.
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
local function call_present(number, wanted)
  local at_door = door_of(number)
  if wanted > at_door then
    local last = math.min(length_of(number), covered(number))
    local before = number == 0 and 0 or call('ZCOUNT', PLACES, '-inf', '(' .. text(number * LINE))
    local nth = before + wanted - 1
    local place = tonumber(call('ZRANGE', PLACES, text(nth), text(nth))[1] or MANY * MANY)
    call_up_to(math.min(place, last))
  end
end

-- Takes over the shares, and drops unused lines that are not among them.
local function share_out(rest, wanted)
  local function is_unused(number)
    return lines[number].length == number * LINE
  end
  if not has_tiers() and #wanted > 0 then
    lines[0] = {name = '-', share = rest, length = 0, cursor = 0, served = 0, last = 0, admitted = 0, horizon = 0}
  end
  for number, share in ipairs(wanted) do
    local start = number * LINE
    lines[number] = lines[number]
      or {length = start, cursor = start, served = 0, last = 0, admitted = 0, horizon = start}
    if is_unused(number) then
      lines[number].name = share.name
    elseif lines[number].name ~= share.name then
      break
    end
    lines[number].share = share.percent
  end
  while #lines > #wanted and is_unused(#lines) do
    lines[#lines] = nil
  end
  if #lines == 0 then
    lines = {}
  else
    lines[0].share = rest
  end
end

-- Lines whose visitors wait owe each other nothing from before; a line without visitors keeps no claim.
local function settle_lines()
  local least
  for number = 0, has_tiers() and #lines or -1 do
    if present_of(number, (number + 1) * LINE - 1) > 0 then
      least = math.min(least or lines[number].served, lines[number].served)
    end
  end
  for number = 0, has_tiers() and #lines or -1 do
    local line = lines[number]
    line.served = least and math.min(cost_of(line), math.max(0, line.served - least)) or 0
  end
end

-- The wanted number of called visitors of each line, by the shares: what a line leaves over goes to the others.
local function doors_of(door)
  local wanted, present_in, open, left = {}, {}, {}, door
  for number = 0, #lines do
    wanted[number] = 1
    present_in[number] = present_of(number, math.min(length_of(number), covered(number)))
    if present_in[number] > 0 then
      open[#open + 1] = number
    end
  end
  while #open > 0 do
    local shares, before, more, few = 0, math.max(0, left), {}, 0
    for _, number in ipairs(open) do
      shares = shares + lines[number].share
    end
    for _, number in ipairs(open) do
      wanted[number] = math.max(1, math.ceil(before * lines[number].share / shares))
      if present_in[number] <= wanted[number] then
        few = few + present_in[number]
      else
        more[#more + 1] = number
      end
    end
    if #more == #open then break end
    open, left = more, before - few
  end
  return wanted
end

local function call_lines(door)
  local wanted = has_tiers() and door > 0 and doors_of(door) or {}
  for number = 0, #lines do
    call_present(number, wanted[number] or door)
  end
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
if has_tiers() or ARGV[FIRST + 9] then
  local wanted = {}
  for n = FIRST + 9, #ARGV, 2 do
    wanted[#wanted + 1] = {name = ARGV[n], percent = tonumber(ARGV[n + 1])}
  end
  share_out(tonumber(ARGV[FIRST + 7] or 100), wanted)
  settle_lines()
  for number = 1, #lines do
    lines[number].horizon = math.max(lines[number].horizon, lines[number].cursor + tonumber(ARGV[FIRST + 8] or 0))
  end
end
call_lines(calls() and door or math.min(door, admits()))
set(room, 'crowded', present() > 0 and 1 or 0)
forget_voided()
forget_users()
forget_chunks(forget_before)
save_all()
return state()
