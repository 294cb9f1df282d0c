import { families, lua, recount, script, writeScript, writeTokens } from './lua.ts';

const others = `
-- Other records of the school, from a key and an argument on: the argument is a field if the record is in a hash, and empty otherwise.
local function othersFrom(key, argument)
  local all = {}
  for i = key, #KEYS do
    local field = ARGV[argument + i - key]
    if field == '' then all[#all + 1] = redis.call('GET', KEYS[i]) else all[#all + 1] = redis.call('HGET', KEYS[i], field) end
  end
  return all
end
`;

/**
 * Finds a code or token whose family is live; an access token also needs the epoch of its grant. The name of the grant is in
 * its value, so that key is not known beforehand. In a cluster that is moving the slot it may be on the other node and look
 * as if it did not exist.
 *
 * KEYS (1 or more): the code or token; other records
 * ARGV (0, or as many as KEYS): 1 to get the grant as well; the field of each other record
 * Result: its value; nil if there is none, or its family or epoch has ended; or, with the grant, with others and for what was redeemed, a list:
 *   its value; that of the grant, nil if it is not on this node; for what was redeemed, the second of this server's clock; the list of the others
 */
export const findToken = script(`${families}${others}
local value = redis.call('GET', KEYS[1])
if not value then return false end
local name, family, word = string.match(value, '^(%S*) (%S*) ?(%S*)')
local at = letterIn(KEYS[1]) ~= 't' and word ~= '' and math.floor(now() / 1000)
-- A key on another node is an error here.
local grant = redis.pcall('GET', string.match(KEYS[1], '^(.*:)[^:]*:[^:]*$') .. 'g:' .. name)
if type(grant) ~= 'string' then return { value, false, at, othersFrom(2, 2) } end
local isCurrent = letterIn(KEYS[1]) ~= 't' or (tonumber(word) or 0) == epochOf(grant)
if not isCurrent or not isLive(grant, family) then return false end
if at or ARGV[1] == '1' or KEYS[2] then return { value, grant, at, othersFrom(2, 2) } end
return value
`);

/**
 * Finds a refresh token by its line, whose record has the name of the live one. Any other one of the line was redeemed: just now if
 * its response is stored.
 *
 * KEYS (2 or more): the line, the response to the token; other records
 * ARGV (one less than KEYS): the name of the token; the field of each other record
 * Result: nil if there is none, or its family has ended; otherwise a list: its value; that of the grant, nil if it is not on this node;
 *   the list of the others; and, unless it is live, the second at which it was redeemed, 1 if that is no longer known, and the second of this
 *   server's clock
 */
export const findLine = script(`${families}${others}
local value = redis.call('GET', KEYS[1])
if not value then return false end
local name, family, live = string.match(value, '^(%S*) (%S*) ~(%S*)')
if not live then return false end
local grant = redis.pcall('GET', string.match(KEYS[1], '^(.*:)[^:]*:[^:]*$') .. 'g:' .. name)
if type(grant) ~= 'string' then grant = false
elseif not isLive(grant, family) then return false end
if live == ARGV[1] then return { value, grant, othersFrom(3, 2) } end
local redeemed = string.match(redis.call('GET', KEYS[2]) or '', '^(%d+) ') or '1'
return { value, grant, othersFrom(3, 2), redeemed, math.floor(now() / 1000) }
`);

/**
 * Writes a record: a listed one into the hash of its kind, any other to a key of its own.
 *
 * KEYS (2; 1 for a kind that cannot be listed): the record, the listed records of its kind
 * ARGV (3 or 4): its text, milliseconds to live (0: no end), 1 if it is listed; what was read, for `replacing`
 * Result: 1; 0 if another text is stored than was read
 */
export const saveRecord = writeScript(`${lua}
if ARGV[4] then
  local text = redis.call('GET', KEYS[1]) or KEYS[2] and redis.call('HGET', KEYS[2], nameIn(KEYS[1]))
  local outcome = replacing(text, ARGV[4], ARGV[1])
  if outcome ~= 'write' then return outcome == 'done' and 1 or 0 end
end
if ARGV[3] == '1' then
  redis.call('HSET', KEYS[2], nameIn(KEYS[1]), ARGV[1])
  redis.call('DEL', KEYS[1])
else
  set(KEYS[1], ARGV[1], tonumber(ARGV[2]))
  if KEYS[2] then redis.call('HDEL', KEYS[2], nameIn(KEYS[1])) end
end
return 1
`);

/**
 * Removes a record, also from the listed ones of its kind.
 *
 * KEYS (1 or 2): the record; the listed records of its kind, if it has any
 * ARGV (0 or 1): its text, without which whatever is stored is removed
 * Result: 1 if it existed, otherwise 0
 */
export const removeRecord = writeScript(`${lua}
if ARGV[1] then
  local text = redis.call('GET', KEYS[1]) or KEYS[2] and redis.call('HGET', KEYS[2], nameIn(KEYS[1]))
  if text ~= ARGV[1] then return 0 end
end
local removed = redis.call('DEL', KEYS[1])
if KEYS[2] then removed = math.max(removed, redis.call('HDEL', KEYS[2], nameIn(KEYS[1]))) end
return removed
`);

/**
 * Removes a line of refresh tokens.
 *
 * KEYS (1): the line
 * ARGV (1): ~ and the name of a token
 * Result: 1 if that was the live one, otherwise 0
 */
export const removeLine = writeScript(`
local live = string.match(redis.call('GET', KEYS[1]) or '', '^%S* %S* (~%S*)')
return live == ARGV[1] and redis.call('DEL', KEYS[1]) or 0
`);

/**
 * Writes a grant, new or again, with its entries in its lists. Its families stay. Some expired grants leave the lists.
 *
 * KEYS (4 to 6): the grant, the order of clients and apps, the list of its member, that of its client, that of its app if it has one; the id of
 *   the last of these if its name does not tell it
 * ARGV (5 or 6): first line without the epoch, record, milliseconds to live (0: no end), 1 to end its access tokens; the id, empty for none; what was
 *   read, for `replacing`
 * Result: 1; 0 if another record is stored than was read
 */
export const saveGrant = writeScript(`${families}${recount}
local at, ttl = now(), tonumber(ARGV[3])
local grant = redis.call('GET', KEYS[1])
local list, epoch, record = '', 0, nil
if grant then
  epoch = epochOf(grant)
  local _
  _, list, record = linesOf(grant)
end
local outcome = replacing(record, ARGV[6], ARGV[2])
if outcome ~= 'write' then return outcome == 'done' and 1 or 0 end
if ARGV[4] == '1' then epoch = epoch + 1 end
local mark = epoch > 0 and ' ' .. epoch or ''
set(KEYS[1], ARGV[1] .. mark .. '\\n' .. list .. '\\n' .. ARGV[2], ttl)

local function endAfter(key, newest)
  if newest == 'inf' then redis.call('PERSIST', key) else redis.call('EXPIREAT', key, tonumber(newest) + 1) end
end

local last = ttl > 0 and math.ceil((at + ttl) / 1000) or '+inf'
local hasId = ARGV[5] ~= ''
local lists, newest = hasId and #KEYS - 1 or #KEYS, nil
for i = 3, lists do
  redis.call('ZADD', KEYS[i], last, nameIn(KEYS[1]))
  local expired = redis.call('ZRANGEBYSCORE', KEYS[i], '-inf', at / 1000, 'LIMIT', 0, 100)
  if #expired > 0 then redis.call('ZREM', KEYS[i], unpack(expired)) end
  newest = redis.call('ZRANGE', KEYS[i], -1, -1, 'WITHSCORES')[2]
  endAfter(KEYS[i], newest)
end
if hasId then
  redis.call('SET', KEYS[#KEYS], ARGV[5])
  endAfter(KEYS[#KEYS], newest)
end

-- The order lives as long as the list that lives longest.
local left = redis.call('TTL', KEYS[2])
recount(KEYS[2], KEYS[lists])
if newest == 'inf' or left == -2 or left >= 0 and at / 1000 + left <= tonumber(newest) then endAfter(KEYS[2], newest) end
return 1
`);

/**
 * Writes a code or token, which starts or prolongs its family. Without its grant, nothing is written.
 *
 * KEYS (2): the code or token, its grant
 * ARGV (4): its family, record, milliseconds to live (0: no end); ~ and its name if it is of a line, otherwise empty
 * Result: 1 if it was written, otherwise 0
 */
export const saveToken = writeScript(`${writeTokens}
local grant = redis.call('GET', KEYS[2])
if not grant then return 0 end
local token = { key = KEYS[1], record = ARGV[2], ttl = tonumber(ARGV[3]), line = ARGV[4] }
writeTokens(KEYS[2], grant, ARGV[1], epochOf(grant), { token })
return 1
`);
