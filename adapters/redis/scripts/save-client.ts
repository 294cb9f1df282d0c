import { type Script, script } from './script.ts';

/**
 * Writes a client to where it belongs: a listed one among the listed, any other to a key of its own.
 *
 * KEYS (2): the client, the listed clients
 * ARGV (4): its name, its record, milliseconds to live (0: no end), 1 for a listed one
 * Result: 1
 */
export const saveClient: Script = script(`
if ARGV[4] == '1' then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
  redis.call('DEL', KEYS[1])
  return 1
end
if ARGV[3] == '0' then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
`);
