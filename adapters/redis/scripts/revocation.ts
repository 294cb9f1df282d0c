import { families, lua, recount, writeScript } from './lua.ts';

/**
 * Ends a family and, if it is the last one, its grant. The lists of the grant follow from its first line, so a caller that
 * does not give them gets that line if they are needed.
 *
 * KEYS (1, or 4 to 5): the grant; the order of clients and apps, and all lists of the grant, the one by which it counts last
 * ARGV (1): the family
 * Result: 1 if it has ended, 0 if it was not live, or the first line of the grant
 */
export const endFamily = writeScript(`${families}${recount}
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
  for i = 3, #KEYS do redis.call('ZREM', KEYS[i], nameIn(KEYS[1])) end
  recount(KEYS[2], KEYS[#KEYS])
end
return 1
`);

/**
 * Removes keys of a school, whatever they are.
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
 * KEYS (1, and 2 to 4 for each): the order of clients and apps; each grant and its lists, the one by which it counts last. One that has expired may
 *   have any one list
 * ARGV (1 for each): the number of its lists
 * Result: for each 1 if it existed, otherwise 0
 */
export const removeGrants = writeScript(`${lua}${recount}
local removed, counted, at = {}, {}, 2
for i, lists in ipairs(ARGV) do
  removed[i] = redis.call('DEL', KEYS[at])
  for j = at + 1, at + lists do redis.call('ZREM', KEYS[j], nameIn(KEYS[at])) end
  local last = KEYS[at + lists]
  if letterIn(last) == 'x' then counted[last] = true end
  at = at + lists + 1
end
for list in pairs(counted) do recount(KEYS[1], list) end
return removed
`);
