import { type Script, script } from './script.ts';

/**
 * Removes grants with all that hangs on them: each of them whole, and as many as one script should.
 *
 * Only the lists are known beforehand; keys of grants and tokens are read from them. In a cluster that is moving the
 * slot, such a key may be on the other node and look as if it were gone. So everything is looked at first, and if
 * something that should be there is not, nothing is removed: the answer names all keys, and the caller comes back with
 * them, where the server itself sees to it that they are all here.
 *
 * KEYS (2, and those that an earlier call named): the grants of the site; where to look: the same, the grants of a
 *   member, or the one grant
 * ARGV (6): the one grant's name or ''; the client's tag and its name, or ''; the member's name, or ''; 1 when what is not
 *   there is gone; how many keys at most
 * Result: how many grants, then 1 if there are more; or -1, then what to add to the common part of the keys
 */
export const revoke: Script = script(`
local base = string.sub(KEYS[1], 1, -2)
local one, tag, client, member = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local sure, most = ARGV[5] == '1', tonumber(ARGV[6])
local at = tonumber(redis.call('TIME')[1])
local seen, missing = {}, {}

-- A key that is on another node is an error here; it counts as missing as long as that can be.
local function look(command, ...)
  if sure then return redis.call(command, ...) end
  local value = redis.pcall(command, ...)
  return (type(value) ~= 'table' or not value.err) and value
end

-- A refresh token leads to what it was redeemed from, and so on. The first must be there, the others may have expired.
-- Of very many used ones the oldest are left to expire: they are good for nothing.
local function family(reference, grant)
  local first = true
  while reference ~= '' and (first or #seen < most) do
    local key = base .. string.sub(reference, 1, 1) .. ':' .. string.sub(reference, 2)
    local value = look('GET', key)
    if not value then
      if first then missing[#missing + 1] = key end
      return
    end
    local owner, _, previous = string.match(value, '^(%S*) ?(%S*) ?(%S*)[\\n\\r]')
    if owner ~= grant then return end
    seen[#seen + 1] = key
    reference, first = previous, false
  end
end

local function tokens(grant, list)
  if string.sub(list, 1, 1) ~= '+' then
    for entry in string.gmatch(list, '[^,]+') do
      if tonumber(string.sub(entry, 1, 8), 16) > at then family(string.sub(entry, 9), grant) end
    end
    return
  end
  local key = base .. 'o:' .. grant
  local references = look('ZRANGEBYSCORE', key, '(' .. at, '+inf')
  if not references or #references == 0 then missing[#missing + 1] = key return end
  seen[#seen + 1] = key
  for _, reference in ipairs(references) do family(reference, grant) end
end

local wanted = {}
if one ~= '' then
  wanted[1] = one
else
  for _, entry in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. at, '+inf')) do
    local its, grant = string.match(entry, '^(%S*) (%S+)$')
    if tag == '' or tag == its then wanted[#wanted + 1] = grant end
  end
end

local entries, grants, more = {}, 0, 0
for _, grant in ipairs(wanted) do
  if #seen >= most then more = 1 break end
  local key = base .. 'g:' .. grant
  local value = look('GET', key)
  local owner, given, short, list = string.match(value or '', '^(%S*) (%S*) ?(%S*)[\\n\\r]([^\\n]*)')
  if not value then
    if one == '' then missing[#missing + 1] = key end
  elseif (member == '' or member == owner) and (client == '' or client == given) then
    grants = grants + 1
    seen[#seen + 1] = key
    tokens(grant, list)
    local memberKey, entry = base .. 'm:' .. owner, (short == '' and given or short) .. ' ' .. grant
    if look('ZSCORE', memberKey, entry) then entries[#entries + 1] = { memberKey, entry }
    elseif owner ~= '' then missing[#missing + 1] = memberKey end
    entries[#entries + 1] = { KEYS[1], entry }
  end
end

if #missing > 0 and not sure then
  local answer = { -1 }
  for _, key in ipairs(seen) do answer[#answer + 1] = string.sub(key, #base + 1) end
  for _, key in ipairs(missing) do answer[#answer + 1] = string.sub(key, #base + 1) end
  return answer
end
for i = 1, #seen, 1000 do redis.call('DEL', unpack(seen, i, math.min(i + 999, #seen))) end
for _, entry in ipairs(entries) do redis.call('ZREM', entry[1], entry[2]) end
return { grants, more }
`);
