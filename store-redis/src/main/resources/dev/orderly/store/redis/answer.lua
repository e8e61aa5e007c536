-- Expects room.lua, rules.lua.
-- A room's state as an answer for RoomStateReply; a missing text is false.

local function pace()
  local flat, second = call('HGETALL', PACE), math.floor(now / 1000)
  local sum = {0, 0, 0, 0, 0}
  for n = 1, #flat, 2 do
    local of, ins, calleds = string.match(flat[n + 1], '^(%d+) (%d+) (%d+)$')
    if flat[n] == 'total' then
      sum[5] = tonumber(flat[n + 1])
    elseif second - of < 60 then
      sum[2], sum[4] = sum[2] + ins, sum[4] + calleds
      if second - of < 10 then
        sum[1], sum[3] = sum[1] + ins, sum[3] + calleds
      end
    end
  end
  return sum
end

-- The lines of tiers as they are stored, then the visitors at the door and the present visitors of each line; nil
-- without tiers. Runs after save_all.
local function tiers()
  if not has_tiers() then
    return nil
  end
  local all = {room.tiers}
  for number = 0, #lines do
    all[#all + 1] = door_of(number)
    all[#all + 1] = present_of(number, (number + 1) * LINE - 1)
  end
  return all
end

local function gate_count()
  return call('HLEN', GATES)
end

-- The revoked visitors, which are many and change seldom; false if the caller's stamp says that it knows them.
local function voided()
  return room.voids ~= KNOWN_STAMP and call('ZRANGE', VOIDED, 0, -1, 'WITHSCORES')
end

local function state()
  local sum = pace()
  return {
    fresh and 1 or 0,
    {room.epoch, room.length, room.cursor, live.horizon, room.crowded, now},
    {active, free(), at_the_door(), present(), room.granted, gate_count()},
    {math.min(MANY, sum[1]), math.min(MANY, sum[2]), math.min(MANY, sum[3]), math.min(MANY, sum[4]), sum[5]},
    {room.mode, room.message or false, live.limits, live.slowed, room.override or false, room.voids,
      room.openings or false},
    voided(),
    room.voids ~= KNOWN_STAMP and call('HKEYS', MOVED),
    room.voids ~= KNOWN_STAMP
      and {room.draws or false, room.lobby_open, room.lobby_base, room.lobby_end, room.drawn,
        room.lobby_bases or false, room.lobby_ends or false},
    tiers(),
  }
end
