import { type Script, script } from './script.ts';

/**
 * Counts one more in a window that begins with the first.
 *
 * KEYS (1): the counter
 * ARGV (1): milliseconds of the window
 * Result: the count, milliseconds until it starts again
 */
export const count: Script = script(`
local counted = redis.call('INCR', KEYS[1])
if counted == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { counted, redis.call('PTTL', KEYS[1]) }
`);
