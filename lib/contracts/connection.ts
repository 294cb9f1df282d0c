import type { Scope } from '../protocol/scopes.ts';
import type { ClientAudience, ClientSource } from './client.ts';
import type { Site } from './member.ts';

/** An application that a member has allowed to act for them. */
export interface Connection {
  readonly id: string;
  readonly clientId: string;
  /** Its name; the `client_id` of one that is gone. */
  readonly clientName: string;
  /** Of a metadata document, the host that publishes it; else the host of the website that is vouched for. */
  readonly host?: string | undefined;
  readonly source: ClientSource;
  readonly audience: ClientAudience;
  readonly scopes: readonly Scope[];
  /** When the member first allowed it, in seconds since the epoch. */
  readonly createdAt: number;
  /** When the member last allowed it. */
  readonly allowedAt: number;
  /**
   * When it last got tokens; an access token that is still good may have been used later. Absent where the store cannot
   * tell, and for one that has had none, or none for longer than a refresh token lives.
   */
  readonly lastUsedAt?: number | undefined;
}

/** A member's connected apps at a site. Whoever calls has checked who asks. */
export interface Connections {
  /** Newest first. */
  list(site: Site, memberId: string): Promise<Connection[]>;
  /** Ends one with every code and token, at once. Answers whether this member had it. */
  revoke(site: Site, memberId: string, id: string): Promise<boolean>;
  /** Ends all, for example when a password was changed or a role lost. Answers how many there were. */
  revokeAll(site: Site, memberId: string): Promise<number>;
}
