import type { ClientAudience } from './client.ts';
import type { Member, Site } from './member.ts';

/** A verified access token: the member, the client and the granted scopes. Specification: Tokens 1. */
export interface Access {
  /** The member to whom the token belongs, with the current roles. */
  readonly member: Member;
  /** The client to which the token was issued. */
  readonly clientId: string;
  /** Whether the client acts for an operator or for a member. */
  readonly audience: ClientAudience;
  /** The scopes of the token. */
  readonly scopes: readonly string[];
  /** When the token expires, in seconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Verifies an access token: one store look-up and one call of the platform.
 *
 * @throws InvalidToken when the token is not valid at this site, TemporarilyUnavailable when that cannot be determined
 */
export type VerifyAccess = (site: Site, token: string) => Promise<Access>;
