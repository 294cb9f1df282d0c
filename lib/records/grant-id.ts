import { digest } from '../runtime/crypto.ts';

/**
 * The id of a member's grant to a client. There is one for each member and client: consents given at the same moment in
 * two browsers or processes write the same grant. The id is not a credential.
 */
export function grantIdOf(memberId: string, clientId: string): string {
  return digest(JSON.stringify(['grant', memberId, clientId])).slice(0, 22);
}
