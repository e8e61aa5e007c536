-- ARGV: now, the version that the caller has seen, the text, its end, the milliseconds to keep it. KEYS[2] has the last
-- version. Answers the new version; nothing if another value is there.
local seen = current()[1] or '0'
if seen ~= ARGV[2] then
  return {}
end
local version = redis.call('INCR', KEYS[2])
redis.call('HSET', KEYS[1], 'version', version, 'text', ARGV[3], 'until', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return {version}
