import type { ClientAudience } from './client.ts';
import type { Member } from './member.ts';

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
