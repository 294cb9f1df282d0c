import { type Script, script } from './script.ts';

/**
 * Takes one of each allowance, or nothing if one of them is used up. A window begins with the first that is taken.
 *
 * KEYS (one for each allowance): its counter
 * ARGV (1, and one for each allowance): milliseconds of the window; the most that may be taken
 * Result: nil, or milliseconds until the last of those used up starts again, at least 1
 */
export const consumeQuota: Script = script(`
local left = 0
for i, key in ipairs(KEYS) do
  local counted = tonumber(redis.call('GET', key) or 0)
  if not (counted + 1 <= tonumber(ARGV[i + 1])) then
    -- One that may never happen has no counter.
    local ends = counted == 0 and tonumber(ARGV[1]) or redis.call('PTTL', key)
    left = math.max(left, ends, 1)
  end
end
if left > 0 then return left end

local taken = {}
for _, key in ipairs(KEYS) do
  if not taken[key] and redis.call('INCR', key) == 1 then redis.call('PEXPIRE', key, ARGV[1]) end
  taken[key] = true
end
return false
`);
