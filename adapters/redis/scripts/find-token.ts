import { families } from './families.ts';
import { type Script, script } from './lua.ts';

/**
 * Finds a code or token whose family is live; an access token also needs the epoch of its grant. The name of the grant is in
 * its value, so that key is not known beforehand. In a cluster that is moving the slot it may be on the other node and look
 * as if it did not exist.
 *
 * KEYS (1): the code or token
 * ARGV (at most 1): 1 for the grant, too
 * Result: its value; nil if there is none, or its family or epoch has ended; a list with its value and that of the grant; a list
 *   with its value if the grant is not on this node
 */
export const findToken: Script = script(`${families}
local value = redis.call('GET', KEYS[1])
if not value then return false end
local name, family, word = string.match(value, '^(%S*) (%S*) ?(%S*)')
-- A key on another node is an error here.
local grant = redis.pcall('GET', string.match(KEYS[1], '^(.*:)[^:]*:[^:]*$') .. 'g:' .. name)
if type(grant) ~= 'string' then return { value } end
local isCurrent = letterIn(KEYS[1]) ~= 't' or (tonumber(word) or 0) == epochOf(grant)
if not isCurrent or not isLive(grant, family) then return false end
if ARGV[1] == '1' then return { value, grant } end
return value
`);
