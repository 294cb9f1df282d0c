import { lua, type Script, writeScript } from './lua.ts';

/**
 * Writes a record: a listed one into the hash of its kind, any other to a key of its own.
 *
 * KEYS (2; 1 for a kind that cannot be listed): the record, the listed records of its kind
 * ARGV (3 or 4): its text, milliseconds to live (0: no end), 1 if it is listed; what was read, for `replacing`
 * Result: 1; 0 if another text is stored than was read
 */
export const saveRecord: Script = writeScript(`${lua}
if ARGV[4] then
  local text = redis.call('GET', KEYS[1]) or KEYS[2] and redis.call('HGET', KEYS[2], nameIn(KEYS[1]))
  local outcome = replacing(text, ARGV[4], ARGV[1])
  if outcome ~= 'write' then return outcome == 'done' and 1 or 0 end
end
if ARGV[3] == '1' then
  redis.call('HSET', KEYS[2], nameIn(KEYS[1]), ARGV[1])
  redis.call('DEL', KEYS[1])
else
  set(KEYS[1], ARGV[1], tonumber(ARGV[2]))
  if KEYS[2] then redis.call('HDEL', KEYS[2], nameIn(KEYS[1])) end
end
return 1
`);

/**
 * Removes a record, also from the listed ones of its kind.
 *
 * KEYS (1 or 2): the record; the listed records of its kind, if it has any
 * ARGV (0)
 * Result: 1 if there was one, else 0
 */
export const removeRecord: Script = writeScript(`${lua}
local removed = redis.call('DEL', KEYS[1])
if KEYS[2] then removed = math.max(removed, redis.call('HDEL', KEYS[2], nameIn(KEYS[1]))) end
return removed
`);
