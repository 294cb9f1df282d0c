import { writeScript } from './lua.ts';

/**
 * Counts the uses of every quota, or nothing if one of them has fewer left. A window begins with the first use counted.
 *
 * KEYS (one for each quota): its counter
 * ARGV (2, and one for each quota): milliseconds of the window; the number of uses; the limit
 * Result: nil, or milliseconds until the last of the used-up counters ends, at least 1
 */
export const consumeQuota = writeScript(`
local uses = tonumber(ARGV[2])
local left = 0
for i, key in ipairs(KEYS) do
  local used = tonumber(redis.call('GET', key) or 0)
  -- Written this way round, a limit that is not a number permits nothing.
  if not (used + uses <= tonumber(ARGV[i + 2])) then
    -- A quota with the limit 0 has no counter.
    local ends = used == 0 and tonumber(ARGV[1]) or redis.call('PTTL', key)
    left = math.max(left, ends, 1)
  end
end
if left > 0 then return left end

local counted = {}
for _, key in ipairs(KEYS) do
  if not counted[key] and redis.call('INCRBY', key, uses) == uses then redis.call('PEXPIRE', key, ARGV[1]) end
  counted[key] = true
end
return false
`);
