-- Expects room.lua, rules.lua, answer.lua; ARGV from FIRST: what, value.
-- An operator's change. Answers the state.

local what, value = ARGV[FIRST], ARGV[FIRST + 1]

local function set_lobby(open, base, ending, bases, ends)
  set(room, 'lobby_open', open)
  set(room, 'lobby_base', base)
  set(room, 'lobby_end', ending)
  set(room, 'lobby_bases', bases)
  set(room, 'lobby_ends', ends)
end

local function forget_covered()
  for name, gate in pairs(gates()) do
    call('HSET', GATES, name, '0 ' .. text(gate.round))
  end
end

-- The horizon of each line goes back to the place before the lobby: gates report again which later visitors are present.
local function end_lobby()
  set(live, 'horizon', math.min(live.horizon, math.max(room.lobby_base, room.cursor)))
  for number = 1, #lines do
    local line = lines[number]
    line.horizon = math.min(line.horizon, math.max(before_lobby(number), line.cursor))
  end
  forget_covered()
  set(room, 'drawn', room.drawn + 1)
end

-- A step of a draw, which the caller has made from these draws and this epoch. Answers nothing if they changed meanwhile.
local function draw(known, epoch, draws, act)
  if (room.draws or '') ~= known or room.epoch ~= tonumber(epoch)
      or (act == 'OPEN' and room.lobby_open == 1 and room.lobby_base >= 0) then
    return
  end
  set(room, 'draws', draws ~= '' and draws or nil)
  set(room, 'voids', STAMP)
  if act == 'OPEN' then
    set_lobby(1, -1, -1)
  elseif act == 'CLOSE' and room.lobby_open == 1 then
    local ends = lengths()
    local is_new = room.lobby_base < 0
    set_lobby(0, is_new and room.length or room.lobby_base, room.length, is_new and ends or room.lobby_bases, ends)
  elseif act == 'DRAWN' then
    end_lobby()
    set_lobby(0, -1, -1)
  elseif act == 'DROP' then
    if room.lobby_base >= 0 then
      end_lobby()
    end
    set_lobby(0, -1, -1)
  end
end

-- As DrawLedger.ofNewEpoch.
local function begin_draws_anew()
  local none = room.lobby_open == 0 and room.lobby_end >= 0 and 0 or -1
  set_lobby(room.lobby_open, none, none)
  set(room, 'draws', room.draws and string.match(room.draws, '[^\n]*$'))
end

-- Begins a new epoch with an empty line. Earlier admissions still count towards the rate; gates have to report again.
local function begin_anew()
  for field, first in pairs({epoch = room.epoch + 1, length = 0, cursor = 0, crowded = 0, granted = 0, voids = STAMP}) do
    set(room, field, first)
  end
  set(live, 'horizon', 0)
  set(live, 'settling', 0)
  for number = 0, has_tiers() and #lines or -1 do
    local line, start = lines[number], number * LINE
    line.length, line.cursor, line.horizon, line.served, line.last, line.admitted = start, start, start, 0, 0, 0
  end
  begin_draws_anew()
  call('UNLINK', PASS, ENDS, HOLDERS, USED, USED_ENDS, VOIDED, MOVED, PLACES, PRESENT, REPORTER, LOBBY, USERS,
    OWNERS, USER_ENDS)
  call('HSET', PACE, 'total', 0)
  forget_covered()
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
elseif what == 'DRAW' then
  draw(value, ARGV[FIRST + 2], ARGV[FIRST + 3], ARGV[FIRST + 4])
elseif what == 'ADMIT' then
  set(room, 'granted', math.min(MANY, room.granted + tonumber(value)))
elseif what == 'EPOCH' then
  begin_anew()
else
  error('There is no change ' .. tostring(what))
end
save_all()
return state()
