import { hash } from 'node:crypto';
import { maxFamilies } from '../../../lib/records/store.ts';

/** A Lua script with the digest by which a server knows it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

const clock = `
-- This server's clock in milliseconds.
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
`;

/** A script that only reads. */
export function script(text: string): Script {
  return named(clock + text);
}

/**
 * A script that writes. One that arrives late, because it waited while Redis or the connection to it was away, does nothing:
 * its caller has received an error.
 *
 * ARGV (one more than those of the text, which does not see it): the last millisecond of this server's clock at which to act
 * Result: this server's clock in milliseconds; 1, or 0 if it was late; the result of the text, if it has one
 */
export function writeScript(text: string): Script {
  return named(
    `${clock}
local started = now()
if started > tonumber(table.remove(ARGV)) then return { started, 0 } end
local function act()
${text}
end
return { started, 1, act() }
`,
  );
}

function named(text: string): Script {
  return { text, sha: hash('sha1', text, 'hex') };
}

/** Lua functions that several scripts use. */
export const lua = `
-- The name in a key: names have no colon.
local function nameIn(key) return string.match(key, '[^:]*$') end

-- The letter of the kind in a key.
local function letterIn(key) return string.match(key, '(%a):[^:]*$') end

-- What is to be done with a write over what was read ('=' and that text, '-' for none, nil for a caller who did not read):
-- 'write'; 'lost' if another text is stored by now; 'done' if it is the new one, as when this write is sent a second time
-- because the connection broke before its reply.
local function replacing(text, read, new)
  if not read or read == (text and '=' .. text or '-') then return 'write' end
  return text == new and 'done' or 'lost'
end

-- SET with milliseconds to live; 0 for no end.
local function set(key, value, ttl)
  if ttl > 0 then redis.call('SET', key, value, 'PX', ttl) else redis.call('SET', key, value) end
end
`;

/**
 * `recount(use, list)`: writes how many live grants a list has into the order of clients and apps. It must follow every change of a list; what
 * expires stays in the order until then, or until somebody reads it.
 */
export const recount = `
local function recount(use, list)
  local name = nameIn(list)
  -- In a cluster that is moving the slot, a list that this script has emptied is an error here.
  local live = redis.pcall('ZCOUNT', list, '(' .. math.floor(now() / 1000), '+inf')
  if type(live) == 'number' and live > 0 then
    redis.call('ZADD', use, live, name)
    return
  end
  redis.call('ZREM', use, name)
  -- The id behind the name may then be on the other node, where it expires.
  if string.find(name, '=', 1, true) then redis.pcall('DEL', string.match(use, '^.*:') .. name) end
end
`;

/** Lua for scripts that read or change the families of a grant, with all of `lua`. `format.ts` describes the values. */
export const families = `${lua}
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
 * `writeTokens(grantKey, grant, family, epoch, tokens)`: writes tokens of a family, each `{ key, record, ttl, line }` (0 for no end;
 * `line` is `~` and its name for a token of a line, otherwise empty), and prolongs the family. No token lives longer than the grant. A family too many ends the first to expire.
 */
export const writeTokens = `${families}
local function writeTokens(grantKey, grant, family, epoch, tokens)
  local at, left = now(), redis.call('PTTL', grantKey)
  local head, list, record = linesOf(grant)
  local live, known = liveFamilies(list, at, family)
  local last, refresh = known and known.last or 0, known and known.refresh or ''
  for _, token in ipairs(tokens) do
    local ttl = token.ttl
    if left >= 0 and (ttl == 0 or ttl > left) then ttl = math.max(left, 1) end
    local letter = letterIn(token.key)
    local mark = token.line ~= '' and ' ' .. token.line or letter == 't' and epoch > 0 and ' ' .. epoch or ''
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
