import { lua } from './lua.ts';
import { type Script, script } from './script.ts';

/**
 * Writes a client: a listed one into the hash of listed clients, any other to a key of its own.
 *
 * KEYS (2): the client, the listed clients
 * ARGV (3): its record, milliseconds to live (0: no end), 1 if it is listed
 * Result: 1
 */
export const saveClient: Script = script(`${lua}
if ARGV[3] == '1' then
  redis.call('HSET', KEYS[2], nameIn(KEYS[1]), ARGV[1])
  redis.call('DEL', KEYS[1])
else
  set(KEYS[1], ARGV[1], tonumber(ARGV[2]))
  redis.call('HDEL', KEYS[2], nameIn(KEYS[1]))
end
return 1
`);
