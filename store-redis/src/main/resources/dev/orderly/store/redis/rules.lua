-- Expects room.lua.
-- The rules: passes, presence, admissions. Counts include the changes of the call, before they are written.

-- ---- used-up tickets: one bit a place, in chunks with the moment from which they may be forgotten

local CHUNK = 256
local chunks = {}

local function chunk_of(place)
  local number = math.floor(place / CHUNK)
  if not chunks[number] then
    chunks[number] = {bits = call('HGET', USED, text(number)) or string.rep('\0', CHUNK / 8)}
  end
  local offset = place % CHUNK
  return chunks[number], math.floor(offset / 8) + 1, 2 ^ (offset % 8)
end

local function is_used_up(place)
  local chunk, index, bit = chunk_of(place)
  return math.floor(string.byte(chunk.bits, index) / bit) % 2 == 1
end

-- ending: end of the pass that used the ticket up
local function use_up(place, ending)
  local chunk, index, bit = chunk_of(place)
  if not is_used_up(place) then
    local byte = string.byte(chunk.bits, index) + bit
    chunk.bits = string.sub(chunk.bits, 1, index - 1) .. string.char(byte) .. string.sub(chunk.bits, index + 1)
  end
  chunk.ending = math.max(chunk.ending or now, ending)
end

local function save_chunks()
  for number, chunk in pairs(chunks) do
    if chunk.ending then
      call('HSET', USED, text(number), chunk.bits)
      call('ZADD', USED_ENDS, 'GT', text(chunk.ending), text(number))
    end
  end
end

-- Forgets at most STEP chunks whose tickets expired before this moment.
local function forget_chunks(before)
  local gone = call('ZRANGE', USED_ENDS, '-inf', '(' .. text(before), 'BYSCORE', 'LIMIT', 0, STEP)
  if #gone > 0 then
    bulk(gone, 'HDEL', USED)
    bulk(gone, 'ZREM', USED_ENDS)
    chunks = {}
  end
end

-- Whether a place was issued. One that was not, or was lost in a failover, will be issued to another visitor.
local function is_issued(place)
  local number = math.floor(place / LINE)
  if number == 0 then
    return place >= 1 and place <= room.length
  end
  return lines[number] ~= nil and place > number * LINE and place <= lines[number].length
end

-- ---- lines: as Lines and TierLedger in the core

local TURN, PATIENCE = 1000000, 60000

local function line_of(place)
  return math.floor(place / LINE)
end

local function length_of(number)
  return number == 0 and room.length or lines[number].length
end

local function cursor_of(number)
  return number == 0 and room.cursor or lines[number].cursor
end

local function horizon_of(number)
  return number == 0 and live.horizon or lines[number].horizon
end

-- The number of the line of a tier; 0 if it has none.
local function number_of(tier)
  for number = 1, #lines do
    if lines[number].name == tier then
      return number
    end
  end
  return 0
end

-- ---- lobbies with a draw

-- The last places of the lines of tiers as a text, with spaces between; nil without tiers.
local function lengths()
  local all = {}
  for number = 1, #lines do
    all[number] = text(lines[number].length)
  end
  return all[1] and table.concat(all, ' ') or nil
end

-- The last place of a line before the lobby.
local function before_lobby(number)
  local line = 0
  for place in string.gmatch(number > 0 and room.lobby_bases or '', '%d+') do
    line = line + 1
    if line == number then
      return tonumber(place)
    end
  end
  return number == 0 and room.lobby_base or number * LINE
end

-- Whether the ticket of this number waits for a draw: as DrawLedger.isInLobby.
local function in_lobby(number)
  local line, ending = line_of(number), room.lobby_end
  if line > 0 and ending >= 0 then
    local n = 0
    for place in string.gmatch(room.lobby_ends or '', '%d+') do
      n = n + 1
      ending = n == line and tonumber(place) or ending
    end
    ending = n < line and before_lobby(line) or ending
  end
  return room.lobby_base >= 0 and number > before_lobby(line) and (room.lobby_end < 0 or number <= ending)
end

-- ---- revoked visitors

local VOIDED_MOST = 100000
local any_void = call('EXISTS', VOIDED) == 1

local function is_void(visitor)
  return any_void and call('ZSCORE', VOIDED, visitor) ~= false
end

-- The visitors whose tokens expire first, without those in MOVED, whose number has a bound of its own.
local function first_void(number)
  local found, from = {}, 0
  while #found < number do
    local page = call('ZRANGE', VOIDED, from, from + 999)
    local moved = call('HMGET', MOVED, unpack(page))
    for n = 1, #page do
      if not moved[n] and #found < number then
        found[#found + 1] = page[n]
      end
    end
    from = from + 1000
  end
  return found
end

-- Beyond VOIDED_MOST the visitors whose tokens expire first are dropped.
local function make_void(visitor, ending)
  call('ZADD', VOIDED, 'GT', text(ending), visitor)
  local beyond = call('ZCARD', VOIDED) - call('HLEN', MOVED) - VOIDED_MOST
  if beyond > 0 then
    bulk(first_void(beyond), 'ZREM', VOIDED)
  end
  any_void = true
  set(room, 'voids', STAMP)
end

-- The visitor who has the place of a revoked visitor now, or false.
local function moved_to(visitor)
  return any_void and call('HGET', MOVED, visitor)
end

-- ---- present visitors

-- Records places and ends of presence, by turns. gate: the reporting gate; nil for the visitors' own requests.
local function seen(presences, gate)
  local by_place, by_end, reports = {}, {}, {}
  for n = 1, #presences, 2 do
    local place, ending = text(presences[n]), text(presences[n + 1])
    by_place[n], by_place[n + 1] = place, place
    by_end[n], by_end[n + 1] = ending, place
    reports[#reports + 1] = place
    reports[#reports + 1] = gate
  end
  bulk(by_place, 'ZADD', PLACES)
  bulk(by_end, 'ZADD', PRESENT, 'GT')
  bulk(reports, gate and 'HSET' or 'HDEL', REPORTER)
end

local function not_present(place)
  local name = text(place)
  if call('ZREM', PLACES, name) == 1 then
    call('ZREM', PRESENT, name)
    call('HDEL', REPORTER, name)
  end
end

local function present()
  return call('ZCARD', PLACES)
end

-- Those of the line of the place.
local function present_before(place)
  return call('ZCOUNT', PLACES, text(line_of(place) * LINE), '(' .. text(place))
end

local function present_of(number, last)
  return call('ZCOUNT', PLACES, text(number * LINE), text(last))
end

local function door_of(number)
  return present_of(number, cursor_of(number))
end

-- Of all lines.
local function at_the_door()
  local sum = door_of(0)
  for number = 1, #lines do
    sum = sum + door_of(number)
  end
  return sum
end

local function cost_of(line)
  return math.floor(TURN / line.share)
end

-- Whether a line has admitted nobody for so long that its next visitor goes first.
local function is_due(line)
  return now - line.last >= PATIENCE
end

-- The visitors at the door of all lines who go before one with so many ahead in the line of its place.
local function turns_before(place, ahead)
  local number = line_of(place)
  local own = lines[number]
  if not own then
    return ahead
  end
  local first, sum = ahead == 0 and is_due(own), ahead
  local turn = own.served + ahead * cost_of(own)
  for n = 0, #lines do
    local other, door = lines[n], n ~= number and door_of(n) or 0
    if door > 0 and first then
      local earlier = other.last < own.last or (other.last == own.last and n < number)
      sum = sum + (is_due(other) and earlier and 1 or 0)
    elseif door > 0 then
      local behind = turn - other.served + (n < number and 1 or 0)
      local count = behind <= 0 and 0 or math.ceil(behind / cost_of(other))
      sum = sum + math.min(door, math.max(count, is_due(other) and 1 or 0))
    end
  end
  return sum
end

-- Counts an admission of the line of a place.
local function charge(place)
  local line = lines[line_of(place)]
  if line then
    line.served = line.served + cost_of(line)
    line.last = now
    line.admitted = line.admitted + 1
  end
end

-- ---- gates

-- All gates by name, each with the highest place it has reported, the round of its last report, and the highest places
-- of the lines of tiers by number.
local function gates()
  local flat, all = call('HGETALL', GATES), {}
  for n = 1, #flat, 2 do
    local covered, round, tiers = string.match(flat[n + 1], '^(%d+) (%d+) ?(.*)$')
    local gate = {[0] = tonumber(covered), round = tonumber(round)}
    for place in string.gmatch(tiers, '%d+') do
      gate[#gate + 1] = tonumber(place)
    end
    all[flat[n]] = gate
  end
  return all
end

local function record_gate(gate, covered, tiers)
  call('HSET', GATES, gate, text(covered) .. ' ' .. text(live.rounds) .. (tiers == '' and '' or ' ' .. tiers))
end

-- The place of a line up to which all gates have reported who is present; its start without a gate.
local function covered(number)
  local least
  for _, gate in pairs(gates()) do
    local up_to = gate[number] or number * LINE
    least = math.min(least or up_to, up_to)
  end
  return least or number * LINE
end

-- ---- users with one place each: as UserPlaces in the core. USERS has texts of the visitor, the place, the visitors ahead,
-- the end of the ticket, and whether a pass was taken (1 or 0); OWNERS the users by visitor.

-- TokenLifetimes.REVIVABLE in the core.
local REVIVABLE = 3600000

local any_user = call('EXISTS', USERS) == 1

local function put_user(user, visitor, place, ahead, ending, taken)
  call('HSET', USERS, user, table.concat({visitor, text(place), text(ahead), text(ending), taken}, ' '))
  call('HSET', OWNERS, visitor, user)
  call('ZADD', USER_ENDS, text(ending), user)
  any_user = true
end

local function read_user(user)
  local visitor, place, ahead, ending, taken =
    string.match(call('HGET', USERS, user) or '', '^(%S+) (%-?%d+) (%d+) (%d+) ([01])$')
  return visitor and {visitor = visitor, place = tonumber(place), ahead = tonumber(ahead), ending = tonumber(ending),
    taken = taken}
end

local function remove_user(user, visitor)
  call('HDEL', USERS, user)
  call('HDEL', OWNERS, visitor)
  call('ZREM', USER_ENDS, user)
end

-- The user for whom a visitor has a place, or false.
local function user_of(visitor)
  return any_user and call('HGET', OWNERS, visitor)
end

-- Records that a visitor took a pass, or revived one.
local function enter_user(visitor)
  local user = user_of(visitor)
  local entry = user and read_user(user)
  if entry and entry.place < 0 then
    put_user(user, visitor, -entry.place, entry.ahead, entry.ending - REVIVABLE, '1')
  elseif entry and entry.taken == '0' then
    put_user(user, visitor, entry.place, entry.ahead, entry.ending, '1')
  end
end

local function move_user(visitor, heir)
  local user = user_of(visitor)
  local entry = user and read_user(user)
  if entry then
    remove_user(user, visitor)
    put_user(user, heir, entry.place, entry.ahead, entry.ending, entry.taken)
  end
end

-- ---- passes

-- Number of visitors who count as inside: live passes, and ended ones that a gate's lease keeps.
local function taken_inside()
  return call('ZCOUNT', ENDS, '(' .. text(math.min(now, live.kept)), '+inf')
end

local active = taken_inside()
local passes, keeps, longer, ends, holds = {}, {}, {}, {}, {}

-- Reads the passes of many visitors at once.
local function look_up(visitors)
  for from = 1, #visitors, STEP do
    local some = {}
    for n = from, math.min(from + STEP - 1, #visitors) do
      some[#some + 1] = visitors[n]
    end
    for n, pass in ipairs(call('HMGET', PASS, unpack(some))) do
      local place, ending = string.match(pass or '', '^(%d+) (%d+)$')
      local lives = place and tonumber(ending) > now
      keeps[some[n]] = place and not lives and tonumber(ending) > live.kept and tonumber(place)
      passes[some[n]] = lives and {place = tonumber(place), ending = tonumber(ending)} or false
    end
  end
end

-- The visitor's live pass, or nil.
local function pass_of(visitor)
  if passes[visitor] == nil then
    look_up({visitor})
  end
  return passes[visitor] or nil
end

-- The place in line of an ended pass that still counts as inside, or nil.
local function kept_for(visitor)
  return not pass_of(visitor) and keeps[visitor] or nil
end

-- The place that a user has still; false without one. An ended pass counts while a gate out of reach may let it go on.
local function held_by(user)
  local entry = any_user and read_user(user)
  local holds = entry
    and (pass_of(entry.visitor) or kept_for(entry.visitor) or (entry.taken == '0' and entry.ending > now))
  return holds and entry or false
end

-- Ends the place of a visitor who has it for a user: the tickets of all devices are void until they end.
local function end_user(visitor, void_until)
  local user = user_of(visitor)
  local entry = user and held_by(user)
  if entry then
    remove_user(user, visitor)
    make_void(visitor, math.max(void_until, entry.ending))
  end
end

-- Forgets at most STEP places whose tickets have ended, unless their visitors are inside: late enough for a place that the
-- user takes next to void the passes of these, which may be revived.
local function forget_users()
  if not any_user then return end
  for _, user in ipairs(call('ZRANGE', USER_ENDS, '-inf', text(now), 'BYSCORE', 'LIMIT', 0, STEP)) do
    local entry = read_user(user)
    local pass = pass_of(entry.visitor)
    if pass or kept_for(entry.visitor) then
      call('ZADD', USER_ENDS, text(pass and pass.ending or now + 1), user)
    elseif entry.place > 0 then
      put_user(user, entry.visitor, -entry.place, entry.ahead, now + REVIVABLE, '1')
    else
      remove_user(user, entry.visitor)
    end
  end
end

-- Extends a pass at least until this moment, or issues one for this place; returns its end. A taken pass uses its
-- ticket up.
local function extend(visitor, place, ending, taken)
  local pass = pass_of(visitor)
  if not pass then
    pass = {place = place, ending = 0}
    active = active + (kept_for(visitor) and 0 or 1)
    passes[visitor] = pass
    holds[#holds + 1] = text(place)
    holds[#holds + 1] = visitor
  end
  pass.ending = math.max(pass.ending, ending)
  longer[#longer + 1] = visitor
  longer[#longer + 1] = text(pass.place) .. ' ' .. text(pass.ending)
  ends[#ends + 1] = text(pass.ending)
  ends[#ends + 1] = visitor
  not_present(pass.place)
  if taken then
    use_up(pass.place, pass.ending)
    enter_user(visitor)
  end
  if pass.ending <= now then
    passes[visitor], keeps[visitor] = false, pass.place -- counts as inside until the next call
  end
  return pass.ending
end

local function save_passes()
  bulk(longer, 'HSET', PASS)
  bulk(ends, 'ZADD', ENDS)
  bulk(holds, 'HSET', HOLDERS)
end

local function end_pass(visitor)
  local pass, kept = pass_of(visitor), kept_for(visitor)
  if pass or kept then
    call('HDEL', PASS, visitor)
    call('ZREM', ENDS, visitor)
    call('HDEL', HOLDERS, text(pass and pass.place or kept))
    passes[visitor], keeps[visitor] = false, nil
    active = active - 1
  end
end

-- Gives the place inside that is kept for one visitor, if any, to another; returns the end of the pass, or 0.
local function rename_pass(visitor, heir)
  local pass = call('HGET', PASS, visitor)
  if not pass then
    return 0
  end
  local place, ending = string.match(pass, '^(%d+) (%d+)$')
  call('HDEL', PASS, visitor)
  call('ZREM', ENDS, visitor)
  call('HSET', PASS, heir, pass)
  call('ZADD', ENDS, ending, heir)
  call('HSET', HOLDERS, place, heir)
  for _, each in ipairs({visitor, heir}) do
    passes[each], keeps[each] = nil, nil
  end
  return tonumber(ending)
end

-- ---- admissions: the window has the total number of admissions up to a moment, an entry for each moment with
-- admissions

local HOUR = 3600000
local capacity, most, period, admitted_inside
local admitted, counted, called = 0, 0, 0

local function keep_to_limits()
  capacity, most, period = string.match(live.limits, '^(%S+) (%S+) (%S+)$')
  capacity, most, period = tonumber(capacity), tonumber(most), tonumber(period)
  admitted_inside = nil
end

local function admitted_up_to(moment)
  local last = call('ZRANGE', WINDOW, moment, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, 1)
  return tonumber(last[1] or 0)
end

local function rate_left()
  if not most then
    return MANY
  end
  if not admitted_inside then
    admitted_inside = admitted_up_to('+inf') - admitted_up_to(text(now - period)) + admitted
  end
  return math.max(0, most - admitted_inside)
end

local function capacity_left()
  return capacity and math.max(0, capacity - active) or MANY
end

-- Whether the capacity allows to revive an ended pass.
local function can_revive(visitor)
  return (kept_for(visitor) and (not capacity or active <= capacity)) or capacity_left() >= 1
end

local function mode_is_of(modes)
  return string.find(modes, ',' .. room.mode .. ',', 1, true) ~= nil
end

-- Whether visitors are called as the limits allow.
local function calls()
  return mode_is_of(CALLING)
end

-- Free admissions by the limits.
local function regular()
  return calls() and math.min(capacity_left(), rate_left()) or 0
end

-- Free admissions by an operator's grants.
local function admits()
  return mode_is_of(ADMITTING) and room.granted or 0
end

local function free()
  return live.settling == 1 and 0 or math.min(capacity_left(), regular() + admits())
end

-- Counts an admission towards the rate, and to the line of a place.
local function admit(place)
  charge(place)
  admitted = admitted + 1
  counted = counted + 1
  admitted_inside = admitted_inside and admitted_inside + 1
end

-- Spends an admission, from the limits first and then from an operator's grants.
local function enter(place)
  if regular() > 0 then
    admit(place)
  else
    charge(place)
    set(room, 'granted', room.granted - 1)
    counted = counted + 1
  end
end

local function call_up_to(place)
  local number = line_of(place)
  local cursor = cursor_of(number)
  if place > cursor then
    called = called + place - cursor
    if number == 0 then
      set(room, 'cursor', place)
    else
      lines[number].cursor = place
    end
  end
end

local function save_window()
  if admitted == 0 then
    return
  end
  local last = call('ZRANGE', WINDOW, 0, 0, 'REV', 'WITHSCORES')
  local total, at = tonumber(last[1] or 0) + admitted, math.max(now, tonumber(last[2] or 0))
  if last[1] and tonumber(last[2]) == at then
    call('ZREM', WINDOW, last[1])
  end
  call('ZADD', WINDOW, text(at), text(total))
  -- Entries older than any period are removed, except the last of them, from which the others are counted.
  local old = call('ZRANGE', WINDOW, text(now - HOUR), '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, 1, 'WITHSCORES')
  if old[1] then
    call('ZREMRANGEBYSCORE', WINDOW, '-inf', '(' .. old[2])
  end
end

-- Admissions and called places by second, each second in the field of its number modulo 60.
local function save_pace()
  if counted == 0 and called == 0 then
    return
  end
  local second = math.floor(now / 1000)
  local field = text(second % 60)
  local of, ins, calleds = string.match(call('HGET', PACE, field) or '', '^(%d+) (%d+) (%d+)$')
  if tonumber(of) ~= second then
    ins, calleds = 0, 0
  end
  call('HSET', PACE, field, text(second) .. ' ' .. text(ins + counted) .. ' ' .. text(calleds + called))
  call('HINCRBY', PACE, 'total', counted)
end

keep_to_limits()

-- Writes the changes of the call. Runs before the answer, whose reads have to see them.
local function save_all()
  save_chunks()
  save_passes()
  save_window()
  save_pace()
  save_lines()
  save(room)
  save(live)
end
