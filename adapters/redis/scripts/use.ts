import { lua, recount, script, writeScript } from './lua.ts';

/**
 * Counts grants.
 *
 * KEYS (any number): lists of grants
 * ARGV (1): the least score of those that have not expired
 * Result: the numbers, in order
 */
export const countLists = script(`
local counts = {}
for i, list in ipairs(KEYS) do counts[i] = redis.call('ZCOUNT', list, ARGV[1], '+inf') end
return counts
`);

/**
 * Finds a page of a sorted set: the greatest scores first, and of one score the greatest name.
 *
 * KEYS (1): the set
 * ARGV (1 or 3): the size of the page; the score and the name after which it begins
 * Result: names and scores in turn
 */
export const findPage = script(`
-- By bytes, as Redis compares names. Lua compares by the language of the server.
local function isLess(a, b)
  for i = 1, math.min(#a, #b) do
    local one, other = string.byte(a, i), string.byte(b, i)
    if one ~= other then return one < other end
  end
  return #a < #b
end

local first, score, name = 0, ARGV[2], ARGV[3]
if name then
  first = redis.call('ZCOUNT', KEYS[1], '(' .. score, '+inf')
  local last = first + redis.call('ZCOUNT', KEYS[1], score, score)
  while first < last do
    local middle = math.floor((first + last) / 2)
    local found = redis.call('ZREVRANGE', KEYS[1], middle, middle)[1]
    if isLess(found, name) then last = middle else first = middle + 1 end
  end
end
return redis.call('ZREVRANGE', KEYS[1], first, first + ARGV[1] - 1, 'WITHSCORES')
`);

/**
 * Corrects the order of clients and apps where grants have expired.
 *
 * KEYS (any number): the order; lists of grants
 * ARGV (0)
 */
export const recountLists = writeScript(`${lua}${recount}
for i = 2, #KEYS do recount(KEYS[1], KEYS[i]) end
`);
