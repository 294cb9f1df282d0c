import { script, writeScript } from './lua.ts';

/**
 * A position is one number: milliseconds since `epoch`, 9 bits of a sequence that all kinds of a school share and that runs on into the
 * milliseconds, and 3 bits for the kind. So positions rise in every list, whichever streams its entries are in, and however clocks jump. A
 * double has room for it until 2093. It is also the id of the entry in its stream.
 */
const position = `
local epoch = 1700000000000
local function idOf(n)
  local low = n % 4096
  local kind = low % 8
  return string.format('%.0f-%.0f', (n - low) / 4096 + epoch, (low - kind) / 8), kind
end
local function positionOf(id, kind)
  local milliseconds, sequence = string.match(id, '(%d+)-(%d+)')
  return (milliseconds - epoch) * 4096 + sequence * 8 + kind
end
local function text(n) return string.format('%.0f', n) end
`;

/** How many of the latest entries a write that comes again looks at. */
const lookedBack = 2000;

/**
 * Adds entries. Lists are cut now and then; the kind is in their names, so that no flood shortens the list of another kind.
 *
 * KEYS (any number): what the keys of the log of a school begin with
 * ARGV: seconds to keep; the oldest millisecond; 1 if the call comes again; the bounds of the five kinds; then for each school its entries,
 *   in one JSON text, since a thousand arguments cost the caller more than to make them: kind, millisecond, id and text, reference (empty for
 *   none), names of four lists (empty for none)
 */
export const addEntries = writeScript(`${position}
local ttl, oldest, isAgain = ARGV[1], tonumber(ARGV[2]), ARGV[3] == '1'

local function knownIn(stream)
  local known = {}
  for _, e in ipairs(redis.call('XREVRANGE', stream, '+', '-', 'COUNT', ${lookedBack})) do
    known[string.sub(e[2][2], 1, 22)] = true
  end
  return known
end

local function addTo(list, n, bound)
  local length = redis.call('RPUSH', list, n)
  redis.call('EXPIRE', list, ttl)
  if length % 64 > 0 then return end
  local first = (oldest - epoch) * 4096
  while tonumber(redis.call('LINDEX', list, 0)) < first do redis.call('LPOP', list) end
  redis.call('LTRIM', list, -bound, -1)
end

for school, prefix in ipairs(KEYS) do
  local known, last = {}, tonumber(redis.call('GET', prefix .. 'i') or 0)
  for _, row in ipairs(cjson.decode(ARGV[8 + school])) do
    local kind, time, entry, reference = unpack(row)
    local stream, bound = prefix .. kind, ARGV[4 + kind]
    if not known[kind] then
      known[kind] = isAgain and knownIn(stream) or {}
      redis.call('XTRIM', stream, 'MINID', '~', oldest)
    end
    if not known[kind][string.sub(entry, 1, 22)] then
      last = math.max((math.min(time, started) - epoch) * 4096, last + 8)
      local n = text(last + kind)
      redis.call('XADD', stream, 'MAXLEN', '~', bound, (idOf(last)), 'e', entry)
      redis.call('EXPIRE', stream, ttl)
      for j = 5, 8 do
        if row[j] ~= '' then addTo(prefix .. row[j], n, bound) end
      end
      if reference ~= '' then
        local list = prefix .. (kind == 3 and 'R' or 'r')
        if redis.call('RPUSH', list, reference, n) % 64 == 0 then redis.call('LTRIM', list, -2 * bound, -1) end
        redis.call('EXPIRE', list, ttl)
      end
    end
  end
  redis.call('SET', prefix .. 'i', text(last), 'EX', ttl)
end
`);

/**
 * Replaces or removes entries. A stream takes nothing in its middle, so replaced ones are in a sorted set.
 *
 * KEYS (1): what the keys of the log begin with
 * ARGV: seconds to keep; then positions and texts in turn: an empty text removes
 */
export const changeEntries = writeScript(`${position}
local replaced = KEYS[1] .. 'x'
for i = 2, #ARGV, 2 do
  local n, new = ARGV[i], ARGV[i + 1]
  local id, kind = idOf(tonumber(n))
  local stream = KEYS[1] .. text(kind)
  local e = redis.call('XRANGE', stream, id, id)[1]
  local before = e and e[2][2] or string.match(redis.call('ZRANGEBYSCORE', replaced, n, n)[1] or '', '^%d+ (.*)$')
  redis.call('XDEL', stream, id)
  redis.call('ZREMRANGEBYSCORE', replaced, n, n)
  if before and new ~= '' then
    redis.call('ZADD', replaced, n, n .. ' ' .. string.sub(before, 1, 22) .. new)
    redis.call('EXPIRE', replaced, ARGV[1])
  end
end
`);

/** Lua to find one entry by its position. */
const entryAt = `
local function entryAt(prefix, n)
  local id, kind = idOf(n)
  local e = redis.call('XRANGE', prefix .. text(kind), id, id)[1]
  if e then return e[2][2] end
  return string.match(redis.call('ZRANGEBYSCORE', prefix .. 'x', text(n), text(n))[1] or '', '^%d+ (.*)$')
end
`;

/**
 * Finds the newest entries of kinds.
 *
 * KEYS (1): what the keys of the log begin with
 * ARGV: the position before which they are; the first position; how many; kinds
 * Result: positions with entries, the newest first
 */
export const newestOfKinds = script(`${position}
local prefix, before, from, limit, found = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), {}
local wanted = {}
for i = 4, #ARGV do
  local kind = tonumber(ARGV[i])
  wanted[kind] = true
  local id, its = idOf(before)
  -- Within one millisecond and sequence kinds have an order.
  local last = kind < its and id or '(' .. id
  for _, e in ipairs(redis.call('XREVRANGE', prefix .. ARGV[i], last, (idOf(from)), 'COUNT', limit)) do
    found[#found + 1] = { positionOf(e[1], kind), e[2][2] }
  end
end
for _, t in ipairs(redis.call('ZREVRANGEBYSCORE', prefix .. 'x', '(' .. text(before), text(from), 'LIMIT', 0, limit)) do
  local n, entry = string.match(t, '^(%d+) (.*)$')
  local _, kind = idOf(tonumber(n))
  if wanted[kind] then found[#found + 1] = { tonumber(n), entry } end
end
table.sort(found, function(a, b) return a[1] > b[1] end)
local out = {}
for i = 1, math.min(limit, #found) do out[i] = { text(found[i][1]), found[i][2] } end
return out
`);

/** Entries that one reading of lists looks at: Redis serves no other call meanwhile. */
const maxLooked = 500;

/**
 * Finds the newest entries whose positions are in lists. Those that are gone are passed over.
 *
 * KEYS (1): what the keys of the log begin with
 * ARGV: the position before which they are; the first position; how many; names of lists
 * Result: positions with entries, the newest first; the position at which it stopped, empty at the end
 */
export const newestInLists = script(`${position}${entryAt}
local prefix, before, from, limit = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local sources, out, looked, last = {}, {}, 0, ''

-- How many entries of a list are before the position.
local function lengthBefore(list)
  local low, high = 0, redis.call('LLEN', list)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if tonumber(redis.call('LINDEX', list, middle)) < before then low = middle + 1 else high = middle end
  end
  return low
end

local function head(source)
  if #source.page == 0 and source.left > 0 then
    local first = math.max(0, source.left - 100)
    source.page = redis.call('LRANGE', source.list, first, source.left - 1)
    source.left = first
  end
  return tonumber(source.page[#source.page] or -1)
end

for i = 4, #ARGV do
  local list = prefix .. ARGV[i]
  sources[#sources + 1] = { list = list, left = lengthBefore(list), page = {} }
end
while looked < ${maxLooked} and #out < limit do
  local best, n = nil, from - 1
  for _, source in ipairs(sources) do
    local its = head(source)
    if its > n then best, n = source, its end
  end
  if not best then return { out, '' } end
  best.page[#best.page] = nil
  looked, last = looked + 1, text(n)
  local entry = entryAt(prefix, n)
  if entry then out[#out + 1] = { last, entry } end
end
return { out, last }
`);

/**
 * Finds the newest entries of a reference.
 *
 * KEYS (1): what the keys of the log begin with
 * ARGV (2): the reference; how many
 * Result: positions with entries
 */
export const ofReference = script(`${position}${entryAt}
local out = {}
for _, list in ipairs({ KEYS[1] .. 'r', KEYS[1] .. 'R' }) do
  for _, i in ipairs(redis.call('LPOS', list, ARGV[1], 'RANK', -1, 'COUNT', ARGV[2])) do
    local n = redis.call('LINDEX', list, i + 1)
    local entry = n and entryAt(KEYS[1], tonumber(n))
    if entry then out[#out + 1] = { n, entry } end
  end
end
return out
`);
