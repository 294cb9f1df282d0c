import { maxFamilies } from '../../../lib/contracts/store.ts';
import { lua } from './lua.ts';

/** Lua for scripts that read or change the families of a grant, and what `lua` has. `values.ts` describes the values. */
export const families: string = `${lua}
-- The lines of a grant: its member, client and epoch; its families; its record.
local function linesOf(grant) return string.match(grant, '^([^\\n]*)\\n([^\\n]*)\\n(.*)$') end

-- How often the grant's access tokens have ended: the third word of its first line, if that is not 0.
local function epochOf(grant) return tonumber(string.match(grant, '^%S* %S* (%d+)\\n') or 0) end

-- Whether a family is on the list of a grant.
local function isLive(grant, family)
  local _, list = linesOf(grant)
  return string.find(',' .. list, ',' .. family .. '=', 1, true) ~= nil
end

-- The families on a list that have not expired, without \`except\`, and that one.
local function liveFamilies(list, at, except)
  local others, found = {}, nil
  for text, name, last, refresh in string.gmatch(list, '(([^,=]+)=(%d+)=?(%d*))') do
    local family = { text = text, last = tonumber(last), refresh = refresh }
    if family.last * 1000 > at then
      if name == except then found = family else others[#others + 1] = family end
    end
  end
  return others, found
end

local function listOf(live)
  local texts = {}
  for i, family in ipairs(live) do texts[i] = family.text end
  return table.concat(texts, ',')
end
`;

/**
 * `writeTokens(grantKey, grant, family, epoch, tokens)`: writes tokens of a family, each `{ key, record, ttl }` (0 for no end),
 * and prolongs the family. No token lives longer than the grant. A family too many ends the first to expire.
 */
export const writeTokens: string = `${families}
local function writeTokens(grantKey, grant, family, epoch, tokens)
  local at, left = now(), redis.call('PTTL', grantKey)
  local head, list, record = linesOf(grant)
  local live, known = liveFamilies(list, at, family)
  local last, refresh = known and known.last or 0, known and known.refresh or ''
  for _, token in ipairs(tokens) do
    local ttl = token.ttl
    if left >= 0 and (ttl == 0 or ttl > left) then ttl = math.max(left, 1) end
    local letter = letterIn(token.key)
    local mark = letter == 't' and epoch > 0 and ' ' .. epoch or ''
    set(token.key, nameIn(grantKey) .. ' ' .. family .. mark .. '\\n' .. token.record, ttl)
    local its = ttl > 0 and math.ceil((at + ttl) / 1000) or 4294967295
    last = math.max(last, its)
    if letter == 'r' then refresh = its end
  end
  if #live >= ${maxFamilies} then
    local first = 1
    for i, other in ipairs(live) do if other.last < live[first].last then first = i end end
    table.remove(live, first)
  end
  live[#live + 1] = { text = family .. '=' .. last .. (refresh == '' and '' or '=' .. refresh) }
  redis.call('SET', grantKey, head .. '\\n' .. listOf(live) .. '\\n' .. record, 'KEEPTTL')
end
`;
