-- Expects KEYS of RedisOnlineUsers.keys; ARGV: RUN of the server, the asking NODE, from FIRST those of the call.
-- Connections of users to nodes. Every answer begins with whether the node is known (1 or 0); users follow.

-- NODES has each node's last beat. No node is declared dead before NOT_BEFORE. BY_USER has "user\0node", BY_NODE
-- "node\0user", sorted by their bytes, so that the entries of a user or of a node are adjacent. Neither names nor users
-- have a \0 in them.
local RUN_KEY, NODES, BY_USER, BY_NODE, NOT_BEFORE = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local RUN, NODE = ARGV[1], ARGV[2]
local FIRST = 3
-- The largest number of arguments of a command inside a script.
local STEP = 1000

local call = redis.call

-- After a restart or a failover the last changes may be lost: then no node is known, and all nodes report again.
if RUN ~= '' and call('GET', RUN_KEY) ~= RUN then
  call('UNLINK', NODES, BY_USER, BY_NODE, NOT_BEFORE)
  call('SET', RUN_KEY, RUN)
end

local function is_known()
  return call('ZSCORE', NODES, NODE) ~= false
end

local function some(key, name, most)
  return call('ZRANGE', key, '[' .. name .. '\0', '(' .. name .. '\1', 'BYLEX', 'LIMIT', 0, most)
end

local function is_online(user)
  return #some(BY_USER, user, 1) > 0
end

-- Forgets a node, and adds the users who go offline by that to the answer.
local function forget(node, answer)
  call('ZREM', NODES, node)
  local entries = some(BY_NODE, node, STEP)
  while #entries > 0 do
    local users, of_users = {}, {}
    for n, entry in ipairs(entries) do
      users[n] = string.sub(entry, #node + 2)
      of_users[n] = users[n] .. '\0' .. node
    end
    call('ZREM', BY_NODE, unpack(entries))
    call('ZREM', BY_USER, unpack(of_users))
    for _, user in ipairs(users) do
      if not is_online(user) then
        answer[#answer + 1] = user
      end
    end
    entries = some(BY_NODE, node, STEP)
  end
end
