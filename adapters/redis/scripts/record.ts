import { lua, type Script, writeScript } from './lua.ts';

/**
 * Writes a record that no list has.
 *
 * KEYS (1): the record
 * ARGV (2): its text, milliseconds to live (0: no end)
 * Result: 1
 */
export const saveRecord: Script = writeScript(`${lua}
set(KEYS[1], ARGV[1], tonumber(ARGV[2]))
return 1
`);

/**
 * Removes a record, also from the listed ones of its kind.
 *
 * KEYS (1 or 2): the record; the listed records of its kind, if it has any
 * ARGV (0)
 * Result: 1
 */
export const removeRecord: Script = writeScript(`${lua}
redis.call('DEL', KEYS[1])
if KEYS[2] then redis.call('HDEL', KEYS[2], nameIn(KEYS[1])) end
return 1
`);
