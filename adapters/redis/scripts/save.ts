import { lua, type Script, script } from './lua.ts';

/**
 * Writes a record of a kind that can be listed: a listed one into the hash of its kind, any other to a key of its own.
 *
 * KEYS (2): the record, the listed records of its kind
 * ARGV (3): its text, milliseconds to live (0: no end), 1 if it is listed
 * Result: 1
 */
export const saveListed: Script = script(`${lua}
if ARGV[3] == '1' then
  redis.call('HSET', KEYS[2], nameIn(KEYS[1]), ARGV[1])
  redis.call('DEL', KEYS[1])
else
  set(KEYS[1], ARGV[1], tonumber(ARGV[2]))
  redis.call('HDEL', KEYS[2], nameIn(KEYS[1]))
end
return 1
`);

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

/**
 * Writes one code or token of a grant.
 *
 * KEYS (3): the token, its grant, the grant's long list
 * ARGV (2): the token's value, milliseconds to live (0: no end)
 * Result: 1
 */
export const saveToken: Script = script(`${attachTokens}
local token = { key = KEYS[1], value = ARGV[1], ttl = tonumber(ARGV[2]) }
attach(KEYS[2], KEYS[3], { token }, referenceTo(KEYS[1]))
return 1
`);
