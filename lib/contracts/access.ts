import type { ClientAudience } from './client.ts';
import type { Member, Site } from './member.ts';

/** Who calls, for which client, and what they may do. */
export interface Access {
  readonly member: Member;
  readonly clientId: string;
  /** For whom the client acts. */
  readonly audience: ClientAudience;
  readonly scopes: readonly string[];
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Verifies an access token: one store look-up and one call of the platform.
 *
 * @throws InvalidToken when the token is not valid at this site, TemporarilyUnavailable when that cannot be determined
 */
export type VerifyAccess = (site: Site, token: string) => Promise<Access>;
