-- Expects values.lua; KEYS[2]: last version; ARGV from 2: seen version, text, until, milliseconds to keep it.
-- Replaces a value. Answers the new version; nothing if another value is there.
local LAST_VERSION = KEYS[2]
local seen, text, ending, kept = ARGV[2], ARGV[3], ARGV[4], ARGV[5]

if (current()[1] or '0') ~= seen then
  return {}
end
local version = redis.call('INCR', LAST_VERSION)
redis.call('HSET', VALUE, 'version', version, 'text', text, 'until', ending)
redis.call('PEXPIRE', VALUE, kept)
return {version}
