import { families, writeTokens } from './families.ts';
import { type Script, writeScript } from './lua.ts';

/**
 * Writes a grant, new or again, with its entries in two lists. Its families stay. Some expired grants leave the lists.
 *
 * KEYS (3): the grant, the list of its member, the list of its client
 * ARGV (4 or 5): first line without the epoch, record, milliseconds to live (0: no end), 1 to end its access tokens; what was
 *   read, for `replacing`
 * Result: 1; 0 if another record is stored than was read
 */
export const saveGrant: Script = writeScript(`${families}
local at, ttl = now(), tonumber(ARGV[3])
local grant = redis.call('GET', KEYS[1])
local list, epoch, record = '', 0, nil
if grant then
  epoch = epochOf(grant)
  local _
  _, list, record = linesOf(grant)
end
local outcome = replacing(record, ARGV[5], ARGV[2])
if outcome ~= 'write' then return outcome == 'done' and 1 or 0 end
if ARGV[4] == '1' then epoch = epoch + 1 end
local mark = epoch > 0 and ' ' .. epoch or ''
set(KEYS[1], ARGV[1] .. mark .. '\\n' .. list .. '\\n' .. ARGV[2], ttl)

local last = ttl > 0 and math.ceil((at + ttl) / 1000) or '+inf'
for i = 2, 3 do
  redis.call('ZADD', KEYS[i], last, nameIn(KEYS[1]))
  local expired = redis.call('ZRANGEBYSCORE', KEYS[i], '-inf', at / 1000, 'LIMIT', 0, 100)
  if #expired > 0 then redis.call('ZREM', KEYS[i], unpack(expired)) end
  local newest = redis.call('ZRANGE', KEYS[i], -1, -1, 'WITHSCORES')[2]
  if newest == 'inf' then
    redis.call('PERSIST', KEYS[i])
  else
    redis.call('EXPIREAT', KEYS[i], tonumber(newest) + 1)
  end
end
return 1
`);

/**
 * Writes a code or token, which starts or prolongs its family. Without its grant, nothing is written.
 *
 * KEYS (2): the code or token, its grant
 * ARGV (3): its family, record, milliseconds to live (0: no end)
 * Result: 1 if it was written, else 0
 */
export const saveToken: Script = writeScript(`${writeTokens}
local grant = redis.call('GET', KEYS[2])
if not grant then return 0 end
local token = { key = KEYS[1], record = ARGV[2], ttl = tonumber(ARGV[3]) }
writeTokens(KEYS[2], grant, ARGV[1], epochOf(grant), { token })
return 1
`);
