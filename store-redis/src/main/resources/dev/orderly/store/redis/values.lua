-- Expects KEYS[1]: hash of the value; ARGV[1]: now.
-- A value with its version and its end.
local VALUE, NOW = KEYS[1], tonumber(ARGV[1])

-- The version and the text; nothing if there is no value, or if it has ended.
local function current()
  local found = redis.call('HMGET', VALUE, 'version', 'text', 'until')
  if not found[1] or tonumber(found[3]) <= NOW then
    return {}
  end
  return {found[1], found[2]}
end
