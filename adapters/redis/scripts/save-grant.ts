import { lua } from './lua.ts';
import { type Script, script } from './script.ts';

/**
 * Writes a grant, new or again, with its entries in the lists of the site and of its member. Its tokens stay attached.
 * Expired entries leave the lists.
 *
 * KEYS (3 or 4): the grant, its long list of tokens, the grants of the site, the grants of the member
 * ARGV (3): first line, record, milliseconds to live (0: no end)
 * Result: 1
 */
export const saveGrant: Script = script(`${lua}
local at = now()
local ttl = tonumber(ARGV[3])
local entry, member = grantEntry(ARGV[1], nameIn(KEYS[1]))

local list = ''
local old = redis.call('GET', KEYS[1])
if old then
  local oldHead
  oldHead, list = string.match(old, '^([^\\n]*)\\n([^\\n]*)')
  local oldEntry, oldMember = grantEntry(oldHead, nameIn(KEYS[1]))
  if oldEntry ~= entry then redis.call('ZREM', KEYS[3], oldEntry) end
  if oldEntry ~= entry or oldMember ~= member then
    local base = string.sub(KEYS[3], 1, -2)
    redis.call('ZREM', base .. 'm:' .. oldMember, oldEntry)
  end
  -- Its tokens must not outlive the list that they are on.
  if ttl > 0 and list ~= '' then ttl = math.max(ttl, redis.call('PTTL', KEYS[1])) end
end
set(KEYS[1], ARGV[1] .. '\\n' .. list .. '\\n' .. ARGV[2], ttl)

local last = ttl > 0 and math.ceil((at + ttl) / 1000) or '+inf'
for i = 3, #KEYS do
  redis.call('ZADD', KEYS[i], last, entry)
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', at / 1000)
  local newest = redis.call('ZRANGE', KEYS[i], -1, -1, 'WITHSCORES')[2]
  if newest == 'inf' then
    redis.call('PERSIST', KEYS[i])
  else
    redis.call('EXPIREAT', KEYS[i], tonumber(newest) + 1)
  end
end
return 1
`);
