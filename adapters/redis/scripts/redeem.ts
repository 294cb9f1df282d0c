import { type Script, script } from './lua.ts';
import { attachTokens } from './save.ts';

/**
 * Redeems a code or refresh token: of any number of calls one wins, and its tokens are written in the same step.
 *
 * ioredis may send an attempt again because the connection broke before the reply arrived; such an attempt has still won.
 * Every reply that leads to a token response leaves a write on this connection, so that a WAIT after it also covers the
 * winner's writes.
 *
 * An attempt that arrives late, because it was queued while Redis was away, does nothing: its caller was told that it
 * failed, and would find the token redeemed when trying again.
 *
 * KEYS (4, and one for each token): the record, its replay, the grant, the grant's long list, the tokens
 * ARGV (6, and two for each token): what to write as `consumed`; the attempt's name in it; the last millisecond of this
 *   server's clock at which to redeem; the replay ('' for none) and its milliseconds to live; 1 if one of the tokens
 *   refers to the record, which can then leave the grant's list; value and milliseconds to live (0: no end) of each token
 * Result: this server's clock in milliseconds, then 'won', 'late', or 'lost' and the replay if there is one
 */
export const redeem: Script = script(`${attachTokens}
local clock = now()
local function reply(...) return { string.format('%.0f', clock), ... } end
local function missing(key) return redis.call('EXISTS', key) == 0 end
if clock > tonumber(ARGV[3]) then return reply('late') end

local found = redis.call('GET', KEYS[1])
if not found then return reply('lost') end
local grant, consumed, previous, rest = string.match(found, '^(%S*) ?(%S*) ?(%S*)(\\n.*)$')

-- The record's own grant and, if tokens are written, theirs must exist.
local target = nameIn(KEYS[3])
local ownGrant = string.sub(KEYS[3], 1, -1 - string.len(target)) .. grant
if grant ~= '' and missing(ownGrant) then return reply('lost') end
if target ~= '' and target ~= grant and missing(KEYS[3]) then return reply('lost') end

if consumed ~= '' then
  local mine = string.match(consumed, '%.(.*)$') == ARGV[2]
  local replay = not mine and redis.call('GET', KEYS[2])
  if not mine and not replay then return reply('lost') end
  redis.call('SET', KEYS[1], found, 'KEEPTTL')
  if mine then return reply('won') end
  return reply('lost', replay)
end

redis.call('SET', KEYS[1], grant .. ' ' .. ARGV[1] .. ' ' .. previous .. rest, 'KEEPTTL')
if ARGV[4] ~= '' then redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5]) end
local tokens = {}
for i = 5, #KEYS do
  local first = 7 + (i - 5) * 2
  tokens[#tokens + 1] = { key = KEYS[i], value = ARGV[first], ttl = tonumber(ARGV[first + 1]) }
end
if #tokens > 0 then attach(KEYS[3], KEYS[4], tokens, ARGV[6] == '1' and referenceTo(KEYS[1]) or '') end
return reply('won')
`);
