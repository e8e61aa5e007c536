-- Expects KEYS of RoomKeys.of; ARGV: moment, RUN, STAMP, KNOWN_STAMP, CALLING, ADMITTING, LONGEST_LEASE, FIRST...
-- A room as a call finds it: its keys, its clock, and its changes, which are written at the end. Every script of a room
-- is this file, rules.lua, answer.lua and the file of the call, in this order. The rules are those of RoomStateMachine
-- in the core.
--
-- RUN of the server; STAMP unique to the call, KNOWN_STAMP that of the revoked visitors the caller knows; CALLING,
-- ADMITTING: the modes in which visitors are called, and in which an operator's grants count, each between commas;
-- LONGEST_LEASE of a gate; from FIRST on those of the call. Moments are milliseconds. Whole numbers are exact up to
-- 2^53; text() formats them, because ".." would round them.

-- As durable as the server.
local ROOM, PASS, ENDS, HOLDERS = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local USED, USED_ENDS, VOIDED, WINDOW, MOVED = KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local LOBBY, USERS, OWNERS, USER_ENDS = KEYS[10], KEYS[11], KEYS[12], KEYS[13]
-- Dropped after a restart of the server.
local LIVE, GATES, PLACES, PRESENT, REPORTER, PACE = KEYS[14], KEYS[15], KEYS[16], KEYS[17], KEYS[18], KEYS[19]
local LEASES = KEYS[20]

local RUN, STAMP, KNOWN_STAMP = ARGV[2], ARGV[3], ARGV[4]
local CALLING, ADMITTING, LONGEST_LEASE = ARGV[5], ARGV[6], tonumber(ARGV[7])
-- Index of the first argument of the call.
local FIRST = 8
-- A number that stands for no bound.
local MANY = 2147483647
local FOREVER = 2 ^ 53
-- The largest number of arguments of a command inside a script: Lua's stack is bounded.
local STEP = 1000
-- The largest number of rounds of STEP ended entries that a call removes; the rest counts until a later call.
local ROUNDS = 10

local call = redis.call

local function text(number)
  return string.format('%.0f', number)
end

-- Runs a command with a list of last arguments, of any length, in parts. Pairs stay together, since STEP is even.
local function bulk(list, ...)
  for from = 1, #list, STEP do
    local command = {...}
    for n = from, math.min(from + STEP - 1, #list) do
      command[#command + 1] = list[n]
    end
    call(unpack(command))
  end
end

-- The fields of a hash, and the set of fields that the call has changed.
local function record(key, fields)
  local values = call('HMGET', key, unpack(fields))
  local read = {key = key, changed = {}}
  for n, field in ipairs(fields) do
    read[field] = values[n] or nil
  end
  return read
end

local function set(of, field, value)
  if of[field] ~= value then
    of[field] = value
    of.changed[field] = true
  end
end

local function save(of)
  local gone, written = {}, {}
  for field in pairs(of.changed) do
    local value = of[field]
    if value == nil then
      gone[#gone + 1] = field
    else
      written[#written + 1] = field
      written[#written + 1] = type(value) == 'number' and text(value) or value
    end
  end
  bulk(gone, 'HDEL', of.key)
  bulk(written, 'HSET', of.key)
end

local room = record(ROOM,
  {'epoch', 'length', 'cursor', 'crowded', 'mode', 'message', 'granted', 'override', 'openings',
    'voids', 'draws', 'lobby_open', 'lobby_base', 'lobby_end', 'drawn', 'lobby_bases',
    'lobby_ends', 'tiers'})
local fresh = room.epoch == nil
for field, default in pairs({epoch = 1, length = 0, cursor = 0, crowded = 0, granted = 0, lobby_open = 0,
  lobby_base = -1, lobby_end = -1, drawn = 0}) do
  room[field] = tonumber(room[field] or default)
end
room.mode = room.mode or 'AUTO'
room.voids = room.voids or ''
if fresh then
  for _, field in ipairs({'epoch', 'length', 'cursor', 'crowded', 'mode', 'granted', 'voids'}) do
    room.changed[field] = true
  end
end

local function read_live()
  return record(LIVE, {'run', 'latest', 'governor', 'lease', 'limits', 'slowed', 'horizon', 'rounds', 'settling',
    'settled', 'kept', 'kept_until'})
end

local live = read_live()
-- After a restart or a failover the server may have lost the last reports of presence: then nobody counts as present.
if RUN ~= '' and live.run and live.run ~= '' and live.run ~= RUN then
  call('UNLINK', LIVE, GATES, PLACES, PRESENT, REPORTER, PACE, LEASES)
  live = read_live()
end
local forgotten = live.run == nil
if forgotten then
  set(live, 'horizon', text(room.cursor))
  set(live, 'settling', text(room.crowded))
  set(live, 'limits', '0 - -')
  set(live, 'slowed', 'NO')
end
if RUN ~= '' or live.run == nil then
  set(live, 'run', RUN)
end
for field, default in pairs({latest = 0, lease = 0, horizon = 0, rounds = 0, settling = 0}) do
  live[field] = tonumber(live[field] or default)
end
live.settled = live.settled and tonumber(live.settled)
live.kept, live.kept_until = tonumber(live.kept or FOREVER), tonumber(live.kept_until or 0)

-- The lines of a room with tiers, by number; none without tiers. A row is a StoredLine of the core and its horizon. The
-- places of the first line, 0, are fields of the room.
local LINE = 2 ^ 44
local lines = {}
for row in string.gmatch(room.tiers or '', '[^\n]+') do
  local number = lines[0] and #lines + 1 or 0
  local name, share, length, cursor, served, last, admitted, horizon =
    string.match(row, '^(%S+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) ?(%d*)$')
  lines[number] = {
    name = name, share = tonumber(share), length = tonumber(length), cursor = tonumber(cursor),
    served = tonumber(served), last = tonumber(last), admitted = tonumber(admitted),
    horizon = not forgotten and tonumber(horizon) or tonumber(cursor),
  }
end

local function has_tiers()
  return lines[0] ~= nil
end

local function save_lines()
  if not has_tiers() then
    set(room, 'tiers', nil)
    return
  end
  local rows = {}
  for number = 0, #lines do
    local each = lines[number]
    rows[number + 1] = table.concat({each.name, text(each.share), text(each.length), text(each.cursor),
      text(each.served), text(each.last), text(each.admitted), text(each.horizon)}, ' ')
  end
  set(room, 'tiers', table.concat(rows, '\n'))
end

-- Time never goes back: calls may arrive in another order than their callers read the clock.
set(live, 'latest', math.max(live.latest, tonumber(ARGV[1])))
local now = live.latest

-- Forgotten gates may have leases: the empty name, which no gate has, stands for them.
if forgotten and not fresh then
  call('HSET', LEASES, '', '0 ' .. text(now + LONGEST_LEASE))
end

-- Reads from the gates' leases which ended passes still count as inside, if the last result is out of date: passes that
-- end after live.kept, since an unreachable gate may let them go on.
local function read_leases()
  if live.kept_until > now then return end
  local kept, kept_until = FOREVER, FOREVER
  local flat = call('HGETALL', LEASES)
  for n = 1, #flat, 2 do
    local from, ending = string.match(flat[n + 1], '^(%-?%d+) (%-?%d+)$')
    from, ending = tonumber(from), tonumber(ending)
    if ending > now then
      kept, kept_until = math.min(kept, from), math.min(kept_until, ending)
    else
      call('HDEL', LEASES, flat[n])
    end
  end
  set(live, 'kept', kept)
  set(live, 'kept_until', kept_until)
end

-- Removes ended presences and passes.
local function expire()
  read_leases()
  for _ = 1, ROUNDS do
    local gone = call('ZRANGE', PRESENT, '-inf', text(now), 'BYSCORE', 'LIMIT', 0, STEP)
    if #gone == 0 then break end
    bulk(gone, 'ZREM', PLACES)
    bulk(gone, 'HDEL', REPORTER)
    call('ZREMRANGEBYRANK', PRESENT, 0, #gone - 1)
  end
  for _ = 1, ROUNDS do
    local gone = call('ZRANGE', ENDS, '-inf', text(math.min(now, live.kept)), 'BYSCORE', 'LIMIT', 0, STEP)
    if #gone == 0 then break end
    local held = {}
    for _, pass in ipairs(call('HMGET', PASS, unpack(gone))) do
      held[#held + 1] = pass and string.match(pass, '^%d+') or nil
    end
    bulk(held, 'HDEL', HOLDERS)
    bulk(gone, 'HDEL', PASS)
    call('ZREMRANGEBYRANK', ENDS, 0, #gone - 1)
  end
end

expire()
