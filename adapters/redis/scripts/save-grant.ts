import { type Script, script } from './script.ts';

/**
 * Writes a grant, new or anew, with its entries in the lists of the site and of its member. What hangs on it stays on
 * it. Entries of those lists that have expired are thrown out.
 *
 * KEYS (3 or 4): the grant, its long list of tokens, the grants of the site, the grants of the member
 * ARGV (6): first line, record, milliseconds to live (0: no end), its entry in the lists, its name, its member's name
 * Result: 1
 */
export const saveGrant: Script = script(`
local time = redis.call('TIME')
local at = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local ttl = tonumber(ARGV[3])
local base = string.sub(KEYS[3], 1, -2)
local list = ''
local lives = ttl
local old = redis.call('GET', KEYS[1])
if old then
  local member, client, tag
  member, client, tag, list = string.match(old, '^(%S*) (%S*) ?(%S*)[\\n\\r]([^\\n]*)')
  local entry = (tag == '' and client or tag) .. ' ' .. ARGV[5]
  if entry ~= ARGV[4] then redis.call('ZREM', KEYS[3], entry) end
  if entry ~= ARGV[4] or member ~= ARGV[6] then redis.call('ZREM', base .. 'm:' .. member, entry) end
  -- Its tokens must not outlive the list that they are on.
  if ttl > 0 and list ~= '' then lives = math.max(ttl, redis.call('PTTL', KEYS[1])) end
end
local value = ARGV[1] .. list .. '\\n' .. ARGV[2]
if ttl > 0 then
  redis.call('SET', KEYS[1], value, 'PX', lives)
else
  redis.call('SET', KEYS[1], value)
end
local last = ttl > 0 and math.ceil((at + lives) / 1000) or '+inf'
for i = 3, #KEYS do
  redis.call('ZADD', KEYS[i], last, ARGV[4])
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
