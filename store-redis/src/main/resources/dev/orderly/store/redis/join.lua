-- Expects room.lua, rules.lua; ARGV from FIRST: visitor, present_until, pass_until, leaf, tier, invitation and user (empty for none), and again.
-- An invitation is a text: its id, the id of its series, epoch, end, and of a former place its visitor, its number and the
-- end of a ticket that waits for a draw (0 for any other).
-- A user is a text: its hash, the end of a new ticket, the end of passes of a stay that has ended, and other hashes.
-- Issues places. Answers: whether the room is new, its epoch, and for each 1 (inside), 0 or a word why an invitation gave
-- none or '=' for the place that the user has, the place, the number of visitors ahead, and with '=' its visitor and end.

local known = present()
-- By number of the line: the covered place, the visitors at the door, the present visitors.
local limits, doors, waiting = {}, {}, {}
local presences, answer = {}, {fresh and 1 or 0, room.epoch}
local tickets = {}

-- Issues the next place of a line; n is the index of the first argument.
local function place(n, visitor, present_until, pass_until, number)
  limits[number] = limits[number] or covered(number)
  doors[number] = doors[number] or door_of(number)
  waiting[number] = waiting[number] or not has_tiers() and known or present_of(number, (number + 1) * LINE - 1)
  local leaf = ARGV[n + 3]
  local in_lobby = room.lobby_open == 1 and (leaf ~= '' or room.lobby_base >= 0)
  if in_lobby and room.lobby_base < 0 then
    set(room, 'lobby_base', room.length)
    set(room, 'lobby_bases', lengths())
    set(room, 'voids', STAMP)
  end
  local limit, length = limits[number], length_of(number)
  local ahead = length - cursor_of(number) + doors[number]
  length = length + 1
  if number == 0 then
    set(room, 'length', length)
  else
    lines[number].length = length
  end
  if in_lobby then
    tickets[#tickets + 1] = text(length)
    tickets[#tickets + 1] = leaf ~= '' and leaf or string.rep('0', 64)
  end
  local is_in = not in_lobby and pass_until > now and length <= limit and known < free()
  if is_in then
    call_up_to(length)
    doors[number] = waiting[number]
    enter(length)
    extend(visitor, length, pass_until, false)
  elseif not in_lobby and length <= math.max(horizon_of(number), limit) and present_until > now then
    presences[#presences + 1] = length
    presences[#presences + 1] = present_until
    known = known + 1
    waiting[number] = waiting[number] + 1
  end
  answer[#answer + 1] = is_in and 1 or 0
  answer[#answer + 1] = length
  answer[#answer + 1] = ahead
end

-- ---- invitations: moved_to has the first half of the visitor's id and the place, as InvitationUse.kept in the core

-- MoveRequest.MOST in the core.
local MOVES_MOST = 10000
local DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
-- Of an id of 22 digits of Base64, these are the first half; the next digit has four bits of it.
local HALF = 10

local function digit(number)
  return string.sub(DIGITS, number + 1, number + 1)
end

local function value_of(id, at)
  return string.find(DIGITS, string.sub(id, at, at), 1, true) - 1
end

local function half_of(id)
  return string.sub(id, 1, HALF) .. digit(math.floor(value_of(id, HALF + 1) / 4) * 4)
end

-- A place has less than 62 bits, so that none is in the digit that both halves share.
local function kept_as(visitor, place)
  local text, rest = digit(place % 4 * 16), math.floor(place / 4)
  for _ = 1, 10 do
    text, rest = digit(rest % 64) .. text, math.floor(rest / 64)
  end
  return half_of(visitor) .. text
end

local function place_of(kept)
  local place = 0
  for at = HALF + 2, 21 do
    place = place * 64 + value_of(kept, at)
  end
  return place * 4 + value_of(kept, 22) / 16
end

-- What a place is to its visitor: nil for nothing, WAITS, or ENTERS if it is called or has a pass.
local function worth_of(visitor, place, lobby)
  if visitor == '' or is_void(visitor) then
    return nil
  elseif pass_of(visitor) then
    return 'ENTERS'
  elseif lobby > 0 then
    return 'WAITS'
  elseif not is_issued(place) or is_used_up(place) then
    return nil
  end
  return place <= cursor_of(line_of(place)) and 'ENTERS' or 'WAITS'
end

local function leave(place)
  local number = line_of(place)
  if call('ZSCORE', PLACES, text(place)) then
    known = known - 1
    waiting[number] = waiting[number] and waiting[number] - 1
  end
  not_present(place)
  use_up(place, now)
end

-- Why an invitation gives no place, nil if it does; and the place that it gave to this visitor before.
local function judge(visitor, number, code, series, epoch, ending, former, former_place, lobby, is_user, held)
  local kept = epoch == room.epoch and moved_to(code)
  if kept and half_of(kept) == half_of(visitor) then
    if is_user then
      -- The place of the first request may be over, and another one the user's.
      return held and held.visitor == visitor and 'SHARED' or 'SPENT'
    end
    return nil, place_of(kept)
  elseif epoch ~= room.epoch or ending <= now then
    return 'ENDED'
  elseif is_void(series) then
    return 'REVOKED'
  elseif is_void(code) then
    return kept and 'USED' or 'REVOKED'
  end
  local worth = worth_of(former, former_place, lobby)
  if held and held.taken == '1' and not pass_of(held.visitor) then
    return 'LATER'
  elseif held and held.visitor ~= former then
    return 'SHARED'
  elseif worth == 'ENTERS' or (worth and line_of(former_place) == number) then
    return 'SOONER'
  elseif number == 0 or call('HLEN', MOVED) >= MOVES_MOST
      or (former ~= '' and (lobby > 0) ~= in_lobby(former_place)) then
    return 'LATER'
  elseif worth and lobby > 0 then
    make_void(former, lobby)
    end_user(former, lobby)
  elseif worth then
    end_user(former, now)
    leave(former_place)
  end
  return nil
end

-- ---- users

-- A user as a request names it; what is kept under other hashes is kept under this one from now on.
local function read_asking(asking)
  local hash, ending, void_until, others = string.match(asking, '^(%S+) (%d+) (%d+) ?(.*)$')
  for other in string.gmatch(others, '%S+') do
    local entry = any_user and not read_user(hash) and read_user(other)
    if entry then
      remove_user(other, entry.visitor)
      put_user(hash, entry.visitor, entry.place, entry.ahead, entry.ending, entry.taken)
    end
  end
  return {hash = hash, ending = tonumber(ending), void_until = tonumber(void_until), held = held_by(hash)}
end

-- Records the place of a user. The place before it has ended for good: its passes are void.
local function give(user, visitor, issued, ahead)
  local before = any_user and read_user(user.hash)
  if before then
    remove_user(user.hash, before.visitor)
    make_void(before.visitor, user.void_until)
  end
  put_user(user.hash, visitor, issued, ahead, user.ending, '0')
end

local function redeem(visitor, number, invitation, user)
  local code, series, epoch, ending, former, former_place, lobby =
    string.match(invitation, '^(%S+) (%S+) (%d+) (%d+) (%S*) (%d+) (%d+)$')
  local why, before = judge(visitor, number, code, series, tonumber(epoch), tonumber(ending), former,
    tonumber(former_place), tonumber(lobby), user ~= false, user and user.held)
  return why, before, code, tonumber(ending)
end

for n = FIRST, #ARGV, 7 do
  local visitor, present_until, pass_until = ARGV[n], tonumber(ARGV[n + 1]), tonumber(ARGV[n + 2])
  local number = has_tiers() and number_of(ARGV[n + 4]) or 0
  local user = ARGV[n + 6] ~= '' and read_asking(ARGV[n + 6])
  local why, before, code, ending
  if ARGV[n + 5] ~= '' then
    why, before, code, ending = redeem(visitor, number, ARGV[n + 5], user)
  end
  if why == 'SHARED' or (user and user.held and ARGV[n + 5] == '') then
    answer[#answer + 1] = '='
    answer[#answer + 1] = user.held.place
    answer[#answer + 1] = user.held.ahead
    answer[#answer + 1] = user.held.visitor
    answer[#answer + 1] = user.held.ending
  elseif why or before then
    answer[#answer + 1] = why or 0
    answer[#answer + 1] = before or 0
    answer[#answer + 1] = before and math.max(0, before - 1 - cursor_of(line_of(before))) or 0
  else
    place(n, visitor, present_until, pass_until, number)
    if user then
      give(user, visitor, length_of(number), answer[#answer - 2] == 1 and 0 or answer[#answer])
    end
    if code then
      call('HSET', MOVED, code, kept_as(visitor, length_of(number)))
      make_void(code, ending)
    end
  end
end

seen(presences, nil)
bulk(tickets, 'HSET', LOBBY)
save_all()
return answer
