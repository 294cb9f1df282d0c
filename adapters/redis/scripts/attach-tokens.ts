import { lua } from './lua.ts';

/**
 * Lua for scripts that write codes and tokens: `attach(grantKey, longKey, tokens, leaving)`, and what `lua` has.
 *
 * Writes each of `tokens` (`{ key, value, ttl }`, 0 for no end) and adds it to the list of its grant. No token outlives
 * the grant. Expired tokens, and the one that `leaving` refers to, leave the list. A list of more than 64 tokens moves to
 * the sorted set `longKey`, so that no client can make every write to its grant slow.
 */
export const attachTokens: string = `${lua}
local function attach(grantKey, longKey, tokens, leaving)
  local grant = redis.call('GET', grantKey)
  local left = grant and redis.call('PTTL', grantKey) or -1
  local at = now()
  local added = {}
  for _, token in ipairs(tokens) do
    local ttl = token.ttl
    if left >= 0 and (ttl == 0 or ttl > left) then ttl = math.max(left, 1) end
    set(token.key, token.value, ttl)
    local last = ttl > 0 and math.ceil((at + ttl) / 1000) or 4294967295
    added[#added + 1] = { referenceTo(token.key), last }
  end
  if not grant then return end

  local head, list, record = string.match(grant, '^([^\\n]*)\\n([^\\n]*)\\n(.*)$')
  local isLong = list == referenceTo(longKey)
  local live = {}
  for reference, last in string.gmatch(isLong and '' or list, '([^,=]+)=(%d+)') do
    if tonumber(last) * 1000 > at and reference ~= leaving then live[#live + 1] = { reference, last } end
  end
  for _, token in ipairs(added) do live[#live + 1] = token end

  if isLong or #live > 64 then
    redis.call('ZREM', longKey, leaving)
    for _, token in ipairs(live) do redis.call('ZADD', longKey, token[2], token[1]) end
    redis.call('ZREMRANGEBYSCORE', longKey, '-inf', at / 1000)
    if left >= 0 then redis.call('PEXPIRE', longKey, math.max(left, 1)) else redis.call('PERSIST', longKey) end
    list = referenceTo(longKey)
  else
    for i, token in ipairs(live) do live[i] = token[1] .. '=' .. token[2] end
    list = table.concat(live, ',')
  end
  redis.call('SET', grantKey, head .. '\\n' .. list .. '\\n' .. record, 'KEEPTTL')
end
`;
