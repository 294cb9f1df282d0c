import { families, lua, writeScript } from './lua.ts';

/**
 * Ends a family and, if it is the last one, its grant. The lists of the grant follow from its first line, so a caller that
 * does not give them gets that line if they are needed.
 *
 * KEYS (1 or 3): the grant; the list of its member, the list of its client
 * ARGV (1): the family
 * Result: 1 if it has ended, 0 if it was not live, or the first line of the grant
 */
export const endFamily = writeScript(`${families}
local grant = redis.call('GET', KEYS[1])
if not grant then return 0 end
local head, list, record = linesOf(grant)
local others, found = liveFamilies(list, now(), ARGV[1])
if not found then return 0 end
if #others == 0 and #KEYS == 1 then return head end

if #others > 0 then
  -- When memory is full, SET is refused as the first write of a script, and permitted after another one.
  local left = redis.call('PTTL', KEYS[1])
  redis.call('PERSIST', KEYS[1])
  set(KEYS[1], head .. '\\n' .. listOf(others) .. '\\n' .. record, left < 0 and 0 or math.max(left, 1))
else
  redis.call('DEL', KEYS[1])
  for i = 2, 3 do redis.call('ZREM', KEYS[i], nameIn(KEYS[1])) end
end
return 1
`);

/**
 * Removes keys of a site, whatever they are.
 *
 * KEYS (any number): the keys
 * ARGV (0)
 * Result: how many records each had; 0 for one that did not exist
 */
export const unlinkKeys = writeScript(`
local sizes = {}
for i, key in ipairs(KEYS) do
  -- A list of records is a hash, and has no name of its own.
  local size = string.match(key, '}:%a$') and redis.call('HLEN', key) or 1
  sizes[i] = redis.call('UNLINK', key) * size
end
return sizes
`);

/**
 * Removes some grants, which makes all their codes and tokens invalid.
 *
 * KEYS (3 for each): the grant, the list of its member, the list of its client
 * ARGV (0)
 * Result: for each 1 if it existed, otherwise 0
 */
export const removeGrants = writeScript(`${lua}
local removed = {}
for i = 1, #KEYS, 3 do
  removed[#removed + 1] = redis.call('DEL', KEYS[i])
  for j = 1, 2 do redis.call('ZREM', KEYS[i + j], nameIn(KEYS[i])) end
end
return removed
`);
