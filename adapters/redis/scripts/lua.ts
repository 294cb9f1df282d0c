import { createHash } from 'node:crypto';

/** A Lua script with the digest by which a server knows it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
  /** Whether it writes: `writeScript`. */
  readonly writes: boolean;
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
  return named(clock + text, false);
}

/**
 * A script that writes. One that arrives late, because it waited while Redis or the connection to it was away, does nothing:
 * its caller was told that it failed.
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
    true,
  );
}

function named(text: string, writes: boolean): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex'), writes };
}

/** Lua functions that several scripts use. */
export const lua: string = `
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
