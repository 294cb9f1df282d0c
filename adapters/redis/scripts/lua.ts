import { createHash } from 'node:crypto';

/** A Lua script with the digest by which a server knows it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** Lua functions that several scripts use. */
export const lua: string = `
-- This server's clock in milliseconds.
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- The name in a key: names have no colon.
local function nameIn(key) return string.match(key, '[^:]*$') end

-- The letter of the kind in a key.
local function letterIn(key) return string.match(key, '(%a):[^:]*$') end

-- Whether a text is still the one that was read: '=' and that text, '-' for none, or nil for a caller who did not read.
local function isAsRead(text, read)
  return not read or read == (text and '=' .. text or '-')
end

-- SET with milliseconds to live; 0 for no end.
local function set(key, value, ttl)
  if ttl > 0 then redis.call('SET', key, value, 'PX', ttl) else redis.call('SET', key, value) end
end
`;
