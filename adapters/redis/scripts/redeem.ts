import { writeTokens } from './families.ts';
import { type Script, script } from './lua.ts';

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
 * KEYS (4, and one for each token): the record, its replay, its grant, the counter of the quota, the tokens
 * ARGV (8, and two for each token): what to write as `consumed`; the attempt's name in it; the last millisecond of this
 *   server's clock at which to redeem; the replay ('' for none) and its milliseconds to live; the epoch that the grant had;
 *   the limit of the quota ('' for none) and its milliseconds; record and milliseconds to live (0: no end) of each token
 * Result: this server's clock in milliseconds, then 'won'; 'late'; 'lost' and the replay if there is one; or 'limited' and
 *   the milliseconds until the counter ends
 */
export const redeem: Script = script(`${writeTokens}
local clock = now()
local function reply(...) return { string.format('%.0f', clock), ... } end
if clock > tonumber(ARGV[3]) then return reply('late') end

local found = redis.call('GET', KEYS[1])
local grant = redis.call('GET', KEYS[3])
if not found or not grant then return reply('lost') end
local name, family, consumed, record = string.match(found, '^(%S*) (%S*) ?(%S*)(\\n.*)$')
if name ~= nameIn(KEYS[3]) or not isLive(grant, family) then return reply('lost') end

if consumed ~= '' then
  local mine = string.match(consumed, '%.(.*)$') == ARGV[2]
  local replay = not mine and redis.call('GET', KEYS[2])
  if not mine and not replay then return reply('lost') end
  redis.call('SET', KEYS[1], found, 'KEEPTTL')
  if mine then return reply('won') end
  return reply('lost', replay)
end

if ARGV[7] ~= '' then
  local used = tonumber(redis.call('GET', KEYS[4]) or 0)
  if not (used < tonumber(ARGV[7])) then
    local left = used == 0 and tonumber(ARGV[8]) or redis.call('PTTL', KEYS[4])
    return reply('limited', string.format('%.0f', math.max(left, 1)))
  end
  if redis.call('INCR', KEYS[4]) == 1 then redis.call('PEXPIRE', KEYS[4], ARGV[8]) end
end
redis.call('SET', KEYS[1], name .. ' ' .. family .. ' ' .. ARGV[1] .. record, 'KEEPTTL')
if ARGV[4] ~= '' then redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5]) end
local tokens = {}
for i = 5, #KEYS do
  local first = 9 + (i - 5) * 2
  tokens[#tokens + 1] = { key = KEYS[i], record = ARGV[first], ttl = tonumber(ARGV[first + 1]) }
end
writeTokens(KEYS[3], grant, family, tonumber(ARGV[6]), tokens)
return reply('won')
`);
