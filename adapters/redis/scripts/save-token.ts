import { attachTokens } from './attach-tokens.ts';
import { type Script, script } from './script.ts';

/**
 * Writes one code or token of a grant.
 *
 * KEYS (3): the token, its grant, the grant's long list
 * ARGV (2): the token's value, milliseconds to live (0: no end)
 * Result: 1
 */
export const saveToken: Script = script(`${attachTokens}
local token = { key = KEYS[1], value = ARGV[1], ttl = tonumber(ARGV[2]) }
attach(KEYS[2], KEYS[3], { token }, referenceTo(KEYS[1]))
return 1
`);
