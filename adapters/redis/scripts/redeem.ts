import { hang } from './hang.ts';
import { type Script, script } from './script.ts';

/**
 * Redeems a code or refresh token: of any number of calls one wins, and its tokens are written with it.
 *
 * An attempt that comes again, because a connection broke before its answer arrived, has won still. Every answer that
 * somebody will get tokens for leaves a write on this connection, so that a WAIT after it covers the winner's.
 *
 * An attempt that comes late, because it lay in a queue while Redis was away, does nothing: who asked has been told that
 * it failed, and would find the token used when trying again.
 *
 * KEYS (4, and one for each token): the record, its replay, the grant, the grant's long list, the tokens
 * ARGV (7, and three for each token): when, with the attempt's name; the attempt's name; the last millisecond of this
 *   server's clock at which to do it; the replay ('' for none) and its milliseconds to live; the grant's name; the
 *   record's own reference if one of the tokens refers to it, else ''; value, milliseconds to live (0: no end) and
 *   reference of each token
 * Result: this server's clock in milliseconds, then 'won', 'late', or 'lost' and the replay if there is one
 */
export const redeem: Script = script(`${hang}
local clock = now()
local function answer(...) return { string.format('%.0f', clock), ... } end
if clock > tonumber(ARGV[3]) then return answer('late') end

local found = redis.call('GET', KEYS[1])
if not found then return answer('lost') end
local grant, consumed, previous, rest = string.match(found, '^(%S*) ?(%S*) ?(%S*)([\\n\\r].*)$')

local function alive(key) return redis.call('EXISTS', key) == 1 end
local grantKey = string.sub(KEYS[3], 1, -1 - string.len(ARGV[6])) .. grant
if grant ~= '' and not alive(grantKey) then return answer('lost') end
if ARGV[6] ~= grant and ARGV[6] ~= '' and not alive(KEYS[3]) then return answer('lost') end

if consumed ~= '' then
  local mine = string.match(consumed, '%.(.*)$') == ARGV[2]
  local replay = not mine and redis.call('GET', KEYS[2])
  if not mine and not replay then return answer('lost') end
  redis.call('SET', KEYS[1], found, 'KEEPTTL')
  if mine then return answer('won') end
  return answer('lost', replay)
end

local tokens = {}
for i = 5, #KEYS do
  local first = 8 + (i - 5) * 3
  tokens[#tokens + 1] = { key = KEYS[i], value = ARGV[first], ttl = tonumber(ARGV[first + 1]), reference = ARGV[first + 2] }
end
redis.call('SET', KEYS[1], grant .. ' ' .. ARGV[1] .. ' ' .. previous .. rest, 'KEEPTTL')
if ARGV[4] ~= '' then redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5]) end
if #tokens > 0 then hang(KEYS[3], KEYS[4], tokens, ARGV[7]) end
return answer('won')
`);
