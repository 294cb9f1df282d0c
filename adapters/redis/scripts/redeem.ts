import { writeScript, writeTokens } from './lua.ts';

/**
 * Redeems a code or refresh token: exactly one call wins, and its tokens are written in the same step.
 *
 * ioredis may send an attempt again because the connection broke before the reply arrived; such an attempt has still won.
 * Every reply that leads to a token response leaves a write on this connection, so that a WAIT after it also covers the
 * winner's writes.
 *
 * KEYS (4, and one for each token): the record, its replay, its grant, the counter of the quota, the tokens
 * ARGV (7, and three for each token): the name of the attempt in what is written as `consumed`, after the second of this server's
 *   clock; the replay ('' for none) and its milliseconds to live; the epoch that the grant had; the limit of the quota ('' for none)
 *   and its milliseconds; ~ and the name of the token if it is of a line, otherwise empty; record, milliseconds to live (0: no end) and the same
 *   of each token
 * Result: 'won'; 'lost' and the replay if there is one; or 'limited' and the milliseconds until the counter ends
 */
export const redeem = writeScript(`${writeTokens}
local function reply(...) return { ... } end

local found = redis.call('GET', KEYS[1])
local grant = redis.call('GET', KEYS[3])
if not found or not grant then return reply('lost') end
local name, family, consumed, record = string.match(found, '^(%S*) (%S*) ?(%S*)(\\n.*)$')
if name ~= nameIn(KEYS[3]) or not isLive(grant, family) then return reply('lost') end

local inLine = ARGV[7] ~= ''
local tokens, mine = {}, string.match(consumed, '%.(.*)$') == ARGV[1]
for i = 5, #KEYS do
  local first = 8 + (i - 5) * 3
  local token = { key = KEYS[i], record = ARGV[first], ttl = tonumber(ARGV[first + 1]), line = ARGV[first + 2] }
  tokens[#tokens + 1] = token
  -- The live token of the line is the one that this very attempt has written.
  if inLine and token.key == KEYS[1] and token.line == consumed then mine = true end
end

if consumed ~= ARGV[7] then
  local replay = not mine and redis.call('GET', KEYS[2])
  if not mine and not replay then return reply('lost') end
  redis.call('SET', KEYS[1], found, 'KEEPTTL')
  if mine then return reply('won') end
  return reply('lost', inLine and string.match(replay, '^%d+ (.*)$') or replay)
end

if ARGV[5] ~= '' then
  local used = tonumber(redis.call('GET', KEYS[4]) or 0)
  if not (used < tonumber(ARGV[5])) then
    local left = used == 0 and tonumber(ARGV[6]) or redis.call('PTTL', KEYS[4])
    return reply('limited', string.format('%.0f', math.max(left, 1)))
  end
  if redis.call('INCR', KEYS[4]) == 1 then redis.call('PEXPIRE', KEYS[4], ARGV[6]) end
end
local at = string.format('%.0f', math.floor(started / 1000))
-- A successor takes the place of a token of a line; without one, the line has no live token.
local mark = inLine and '~' or at .. '.' .. ARGV[1]
local successor = false
for _, token in ipairs(tokens) do successor = successor or token.key == KEYS[1] end
if not successor then redis.call('SET', KEYS[1], name .. ' ' .. family .. ' ' .. mark .. record, 'KEEPTTL') end
if ARGV[2] ~= '' then redis.call('SET', KEYS[2], (inLine and at .. ' ' or '') .. ARGV[2], 'PX', ARGV[3]) end
writeTokens(KEYS[3], grant, family, tonumber(ARGV[4]), tokens)
return reply('won')
`);
