/**
 * Lua for scripts that write codes and tokens: `hang(grantKey, manyKey, tokens, out)`.
 *
 * Writes each of `tokens` (`{ key, value, ttl, reference }`; ttl in milliseconds, 0 for none) to live no longer than the
 * grant, and puts them on the grant's list. Expired ones leave the list, and so does the reference `out`. A list that
 * has grown long moves to a sorted set, `manyKey`, so that no client can make every write of its grant slow.
 */
export const hang = `
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function hang(grantKey, manyKey, tokens, out)
  local grant = redis.call('GET', grantKey)
  local left = grant and redis.call('PTTL', grantKey) or -1
  local at = now()
  local entries = {}
  for _, token in ipairs(tokens) do
    local ttl = token.ttl
    if left >= 0 and (ttl == 0 or ttl > left) then ttl = math.max(left, 1) end
    if ttl > 0 then
      redis.call('SET', token.key, token.value, 'PX', ttl)
    else
      redis.call('SET', token.key, token.value)
    end
    local last = ttl > 0 and math.ceil((at + ttl) / 1000) or 4294967295
    entries[#entries + 1] = string.format('%08x', last) .. token.reference
  end
  if not grant then return end
  local head, list, record = string.match(grant, '^([^\\n\\r]*[\\n\\r])([^\\n]*)(\\n.*)$')
  local kept = {}
  for entry in string.gmatch(list, '[^,+]+') do
    local live = tonumber(string.sub(entry, 1, 8), 16) * 1000 > at
    if live and string.sub(entry, 9) ~= out then kept[#kept + 1] = entry end
  end
  for _, entry in ipairs(entries) do kept[#kept + 1] = entry end
  if #kept > 64 or string.sub(list, 1, 1) == '+' then
    if out ~= '' then redis.call('ZREM', manyKey, out) end
    for _, entry in ipairs(kept) do
      redis.call('ZADD', manyKey, tonumber(string.sub(entry, 1, 8), 16), string.sub(entry, 9))
    end
    redis.call('ZREMRANGEBYSCORE', manyKey, '-inf', at / 1000)
    if left >= 0 then redis.call('PEXPIRE', manyKey, math.max(left, 1)) else redis.call('PERSIST', manyKey) end
    kept = { '+' }
  end
  redis.call('SET', grantKey, head .. table.concat(kept, ',') .. record, 'KEEPTTL')
end
`;
