-- A value with its version and its end. KEYS[1] is its hash; ARGV[1] is the current time.

-- The version and the text; nothing if there is no value, or if it has ended.
local function current()
  local found = redis.call('HMGET', KEYS[1], 'version', 'text', 'until')
  if not found[1] or tonumber(found[3]) <= tonumber(ARGV[1]) then
    return {}
  end
  return {found[1], found[2]}
end
