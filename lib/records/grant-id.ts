import { digest } from '../runtime/crypto.ts';

/**
 * The id of a member's grant to a client: there is one, and whoever writes it at the same moment, in another browser or
 * process, writes the same one. It is no credential.
 */
export function grantIdOf(memberId: string, clientId: string): string {
  return digest(JSON.stringify(['grant', memberId, clientId])).slice(0, 22);
}
