import { lua, type Script, writeScript } from './lua.ts';

/**
 * Removes some grants, which makes all their codes and tokens invalid.
 *
 * KEYS (3 for each): the grant, the list of its member, the list of its client
 * ARGV (0)
 * Result: how many existed
 */
export const removeGrants: Script = writeScript(`${lua}
local removed = 0
for i = 1, #KEYS, 3 do
  removed = removed + redis.call('DEL', KEYS[i])
  for j = 1, 2 do redis.call('ZREM', KEYS[i + j], nameIn(KEYS[i])) end
end
return removed
`);
