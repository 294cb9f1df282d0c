import { createHash } from 'node:crypto';

/** A Lua script with the digest by which a server knows it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** Lua functions that several scripts use. `values.ts` describes the values, and what a reference is. */
export const lua: string = `
-- This server's clock in milliseconds.
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- The reference to a key, and the name in it: names have no colon.
local function referenceTo(key) return string.match(key, '[^:]*:[^:]*$') end
local function nameIn(key) return string.match(key, '[^:]*$') end

-- SET with milliseconds to live; 0 for no end.
local function set(key, value, ttl)
  if ttl > 0 then redis.call('SET', key, value, 'PX', ttl) else redis.call('SET', key, value) end
end

-- The entry of a grant in the lists of grants, and the member and client in its first line.
local function grantEntry(head, name)
  local member, client, tag = string.match(head, '^(%S*) (%S*) ?(%S*)')
  return (tag == '' and client or tag) .. ' ' .. name, member, client
end
`;
