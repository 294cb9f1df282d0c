import { script } from './scripts/lua.ts';
import type { Session } from './session.ts';

const names = (text: string): readonly string[] => text.split(' ');

/** The commands that the user of the client needs. `docs/operate/redis.md` has them as the rules of an ACL. @internal */
export const neededCommands = {
  /** In scripts or alone. */
  service: [
    ...names('GET SET DEL INCR INCRBY TIME TTL PTTL PEXPIRE EXPIREAT PERSIST HGET HSET HDEL HVALS EVAL EVALSHA'),
    ...names('ZADD ZREM ZCOUNT ZRANGE ZRANGEBYSCORE ZREVRANGE ZREVRANGEBYSCORE'),
  ],
  /** With the option `durability`. */
  durability: names('WAIT'),
  /** To keep a log: the option `log`. */
  log: names(
    'XADD XDEL XTRIM XRANGE XREVRANGE RPUSH LPOP LTRIM LRANGE LINDEX LLEN LPOS EXPIRE ZREMRANGEBYSCORE XLEN DBSIZE',
  ),
  /** To remove a school or a person's data, and to copy the store. */
  upkeep: names('SCAN UNLINK HLEN HGETALL HKEYS'),
};

/**
 * ARGV: a key, which need not exist and is not touched; names of commands
 * Result: those that the user may not run on the key, or the server does not have; nothing if the server cannot say, as before Redis 7
 */
const refused = script(`
if not redis.acl_check_cmd then return false end
local key, names = ARGV[1], {}
for i = 2, #ARGV do
  local isScript = string.sub(ARGV[i], 1, 4) == 'EVAL'
  local isKnown, isAllowed = pcall(redis.acl_check_cmd, ARGV[i], unpack(isScript and { '', 1, key } or { key }))
  if not (isKnown and isAllowed) then names[#names + 1] = ARGV[i] end
end
return names
`);

/** Those of the commands that the user of the client may not run on keys such as this one; nothing if the server cannot say. */
export async function refusedCommands(
  session: Session,
  key: string,
  commands: readonly string[],
): Promise<readonly string[] | undefined> {
  // A key in the command would be refused before the script could say more.
  const reply = await session.evaluate(refused, [], [key, ...commands]);
  if (reply === null) return undefined;
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the script that looks at rights');
  return reply.map(String);
}
