/** What is kept. Ids of sessions, interactions, codes and tokens reach a store as SHA-256 digests, never raw. */
export type RecordKind =
  'Session' | 'Interaction' | 'Grant' | 'AuthorizationCode' | 'AccessToken' | 'RefreshToken' | 'Client' | 'Document';

/** What can be redeemed, once. */
export type RedeemableKind = 'AuthorizationCode' | 'RefreshToken';

/** A record as found. */
export interface Found {
  /** The text that was saved; a store never looks inside. */
  readonly record: string;
  /** When it was redeemed, in seconds since the epoch; absent for one that was not. */
  readonly consumed?: number | undefined;
  /** Grants: the last second of the refresh token that hangs on it and lives longest, where the store can tell. */
  readonly refreshUntil?: number | undefined;
}

/** A record to write. */
export interface Entry {
  readonly kind: RecordKind;
  readonly id: string;
  readonly record: string;
  /** Seconds to live. Absent: until removed. */
  readonly ttl?: number | undefined;
  /** Clients: one of those that `listClients` lists; it stays until removed, so it has no `ttl`. @default false */
  readonly listed?: boolean | undefined;
  /** Codes and tokens: the grant they die with. */
  readonly grantId?: string | undefined;
  /** Grants: whose it is. */
  readonly memberId?: string | undefined;
  /** Grants: the client it was given to. */
  readonly clientId?: string | undefined;
}

/** A code or refresh token turned into tokens: all of it happens, or nothing. */
export interface Redemption {
  readonly kind: RedeemableKind;
  readonly id: string;
  /** Seconds since the epoch; becomes the record's `consumed`. */
  readonly now: number;
  /** What to write for the one who wins: codes and tokens, all of one grant. */
  readonly entries: readonly Entry[];
  /** The winner's sealed answer, kept `ttl` seconds for the same client's second try. */
  readonly replay?: { readonly sealed: string; readonly ttl: number } | undefined;
}

/** Whether this call redeemed it. A loser learns the winner's sealed answer while that is kept. */
export type RedemptionOutcome = { readonly won: true } | { readonly won: false; readonly replay?: string | undefined };

/** How often something may happen in a window of time. */
export interface Quota {
  /** The counter's name. */
  readonly name: string;
  /** 0 for never. */
  readonly limit: number;
}

/** Which grants: one, a member's, a client's, a member's with one client, or all of the site (`{}`). */
export interface GrantFilter {
  readonly grantId?: string | undefined;
  readonly memberId?: string | undefined;
  readonly clientId?: string | undefined;
}

/**
 * Where everything is kept, one space for each site: a name of one site is never found at another. A call that rejects
 * means "could not tell" and becomes 503; a write that resolves is written. A call must settle: a store that may wait for
 * something has a deadline of its own.
 */
export interface Store {
  /** The record, or `undefined` when there is none or it has expired. */
  find(siteId: string, kind: RecordKind, id: string): Promise<Found | undefined>;
  /** Writes or replaces one record, with its links. */
  save(siteId: string, entry: Entry): Promise<void>;
  /** Removes one record; removing none is no error. */
  remove(siteId: string, kind: RecordKind, id: string): Promise<void>;
  /**
   * Compare-and-set: of any number of calls for one record, one wins, and its entries are written with it. A record
   * that is gone or already redeemed makes a loser. Entries of a grant that is gone are not written: also a loser.
   */
  redeem(siteId: string, redemption: Redemption): Promise<RedemptionOutcome>;
  /** The records of the site's listed clients, in no order. */
  listClients(siteId: string): Promise<string[]>;
  /**
   * Takes one of each allowance, all of them or none: while one is used up, nothing is counted and no counter is made. A
   * counter ends `window` seconds after the first that it counted. A name that is there twice counts once, and must
   * be within both. Answers `undefined`, or in how many seconds, at least 1, the last of those used up starts again.
   */
  consumeQuota(siteId: string, quotas: readonly Quota[], window: number): Promise<number | undefined>;
  /** The ids of a member's grants, of those to one client, or of everybody's to one client. */
  grantIds(siteId: string, filter: Omit<GrantFilter, 'grantId'>): Promise<string[]>;
  /**
   * Removes grants with every code and token that hangs on them; a grant must match all that the filter names. Answers
   * how many grants there were.
   */
  revoke(siteId: string, filter: GrantFilter): Promise<number>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
}

/** Every method of a `Store`. */
export const storeMethods: readonly (keyof Store)[] = [
  'find',
  'save',
  'remove',
  'redeem',
  'listClients',
  'consumeQuota',
  'grantIds',
  'revoke',
  'ping',
];
