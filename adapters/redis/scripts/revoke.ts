import { lua, type Script, script } from './lua.ts';

/**
 * Removes grants with their codes and tokens: each grant completely, and as many as one script should.
 *
 * Only the lists are known beforehand; the keys of grants and tokens are read from them. In a cluster that is moving the
 * slot such a key may be on the other node and look as if it did not exist. So the script first reads everything. If
 * something is missing that should exist, it removes nothing and returns all keys; the caller repeats the call with them
 * in KEYS, and then the server itself checks that all of them are on this node.
 *
 * KEYS (2, and those that an earlier call returned): the grants of the site; where to look: the same, the grants of a
 *   member, or one grant
 * ARGV (6): the one grant's name or ''; the client's tag and its name, or ''; the member's name, or ''; 1 if a missing key
 *   does not exist; how many keys to remove at most
 * Result: how many grants, then 1 if there are more; or -1, then the references to the keys
 */
export const revoke: Script = script(`${lua}
local base = string.sub(KEYS[1], 1, -2)
local one, tag, client, member = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local sure, limit = ARGV[5] == '1', tonumber(ARGV[6])
local at = math.floor(now() / 1000)
local seen, missing = {}, {}

-- A key on another node is an error here. As long as that is possible it counts as missing.
local function look(command, ...)
  if sure then return redis.call(command, ...) end
  local value = redis.pcall(command, ...)
  return (type(value) ~= 'table' or not value.err) and value
end

-- A token refers to what it was issued for, and so on. The first one must exist, the others may have expired. If there
-- are very many redeemed ones, the oldest are left to expire: they are not valid any more.
local function removeFamily(reference, grant)
  local first = true
  while reference ~= '' and (first or #seen < limit) do
    local value = look('GET', base .. reference)
    if not value then
      if first then missing[#missing + 1] = reference end
      return
    end
    local owner, _, previous = string.match(value, '^(%S*) ?(%S*) ?(%S*)\\n')
    if owner ~= grant then return end
    seen[#seen + 1] = reference
    reference, first = previous, false
  end
end

local function removeTokens(grant, list)
  local long = 'o:' .. grant
  if list ~= long then
    for reference, last in string.gmatch(list, '([^,=]+)=(%d+)') do
      if tonumber(last) > at then removeFamily(reference, grant) end
    end
    return
  end
  local references = look('ZRANGEBYSCORE', base .. long, '(' .. at, '+inf')
  if not references or #references == 0 then missing[#missing + 1] = long return end
  seen[#seen + 1] = long
  for _, reference in ipairs(references) do removeFamily(reference, grant) end
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
  if #seen >= limit then more = 1 break end
  local value = look('GET', base .. 'g:' .. grant)
  if not value then
    if one == '' then missing[#missing + 1] = 'g:' .. grant end
  else
    local head, list = string.match(value, '^([^\\n]*)\\n([^\\n]*)')
    local entry, owner, given = grantEntry(head, grant)
    if (member == '' or member == owner) and (client == '' or client == given) then
      grants = grants + 1
      seen[#seen + 1] = 'g:' .. grant
      removeTokens(grant, list)
      local memberKey = base .. 'm:' .. owner
      if look('ZSCORE', memberKey, entry) then entries[#entries + 1] = { memberKey, entry }
      elseif owner ~= '' then missing[#missing + 1] = 'm:' .. owner end
      entries[#entries + 1] = { KEYS[1], entry }
    end
  end
end

if #missing > 0 and not sure then
  local reply = { -1 }
  for _, reference in ipairs(seen) do reply[#reply + 1] = reference end
  for _, reference in ipairs(missing) do reply[#reply + 1] = reference end
  return reply
end
for _, reference in ipairs(seen) do redis.call('DEL', base .. reference) end
for _, entry in ipairs(entries) do redis.call('ZREM', entry[1], entry[2]) end
return { grants, more }
`);
