import { hang } from './hang.ts';
import { type Script, script } from './script.ts';

/**
 * Writes one code or token of a grant.
 *
 * KEYS (3): the token, its grant, the grant's long list
 * ARGV (3): the token's value, milliseconds to live (0: no end), the token's reference
 * Result: 1
 */
export const saveToken: Script = script(`${hang}
local token = { key = KEYS[1], value = ARGV[1], ttl = tonumber(ARGV[2]), reference = ARGV[3] }
hang(KEYS[2], KEYS[3], { token }, ARGV[3])
return 1
`);
