import { lua, type Script, writeScript } from './lua.ts';

/**
 * Writes a record that no list has.
 *
 * KEYS (1): the record
 * ARGV (2): its text, milliseconds to live (0: no end)
 * Result: 1
 */
export const setRecord: Script = writeScript(`${lua}
set(KEYS[1], ARGV[1], tonumber(ARGV[2]))
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
