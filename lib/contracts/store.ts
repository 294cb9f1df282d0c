/** The kinds of record. The id of a session, interaction, code or token reaches a store as its SHA-256 digest only. */
export type RecordKind =
  | 'Session'
  | 'Interaction'
  | 'Grant'
  | 'AuthorizationCode'
  | 'AccessToken'
  | 'RefreshToken'
  | 'Client'
  | 'Document'
  | 'DocumentReview';

/** Kinds whose records can be listed. */
export type ListedKind = 'Client' | 'DocumentReview';

/** Kinds that can be redeemed, once. */
export type RedeemableKind = 'AuthorizationCode' | 'RefreshToken';

/** A record that was found. Wherever a store has no value, `null` means the same as `undefined`. */
export interface Found {
  /** The text that was saved. A store never looks inside. */
  readonly record: string;
  /** When the record was redeemed, in seconds since the epoch; absent if it was not. */
  readonly consumed?: number | null | undefined;
  /** Grants: when the last of its refresh tokens expires, in seconds since the epoch; absent if the store cannot tell. */
  readonly refreshUntil?: number | null | undefined;
}

/** A record to write. */
export interface Entry {
  readonly kind: RecordKind;
  readonly id: string;
  readonly record: string;
  /** Seconds to live. @default until it is removed */
  readonly ttl?: number | undefined;
  /** A `ListedKind`: whether `list` lists it. A listed record lives until it is removed and has no `ttl`. @default false */
  readonly listed?: boolean | undefined;
  /** Codes and tokens: the grant that they belong to, and are removed with. */
  readonly grantId?: string | undefined;
  /** Grants: the member who gave it. */
  readonly memberId?: string | undefined;
  /** Grants: the client that received it. */
  readonly clientId?: string | undefined;
}

/** The exchange of a code or refresh token for tokens. It happens completely or not at all. */
export interface Redemption {
  readonly kind: RedeemableKind;
  readonly id: string;
  /** Seconds since the epoch; becomes `consumed` of the redeemed record. */
  readonly now: number;
  /** The codes and tokens to write if this call wins; all belong to one grant. */
  readonly entries: readonly Entry[];
  /** The winner's encrypted response, to be stored for `ttl` seconds in case the same client tries again. */
  readonly replay?: { readonly sealed: string; readonly ttl: number } | undefined;
}

/** Whether this call redeemed the record. A call that lost gets the winner's encrypted response while it is stored. */
export type RedemptionOutcome =
  { readonly won: true } | { readonly won: false; readonly replay?: string | null | undefined };

/** How often something may happen in a window of time. */
export interface Quota {
  /** The name of the counter. */
  readonly name: string;
  /** 0 for never. */
  readonly limit: number;
}

/** Selects grants: one, a member's, a client's, a member's to one client, or all of the site (`{}`). */
export interface GrantFilter {
  readonly grantId?: string | undefined;
  readonly memberId?: string | undefined;
  readonly clientId?: string | undefined;
}

/**
 * Stores all data of all sites. Each site has a space of its own: a record of one site is never found at another. A call
 * that rejects is a fault and becomes 503; a write that resolves has been written. A call must settle, so a store that
 * can wait needs a deadline.
 */
export interface Store {
  /** Finds a record; nothing if there is none or it has expired. */
  find(siteId: string, kind: RecordKind, id: string): Promise<Found | null | undefined>;
  /** Writes or replaces one record with its links to a grant, member or client. */
  save(siteId: string, entry: Entry): Promise<void>;
  /** Removes one record. Removing a record that does not exist is not an error. */
  remove(siteId: string, kind: RecordKind, id: string): Promise<void>;
  /**
   * Compare-and-set: of any number of calls for one record exactly one wins, and its entries are written in the same
   * step. A call loses if the record or the grant of its entries does not exist, or the record was redeemed before; it
   * writes nothing.
   */
  redeem(siteId: string, redemption: Redemption): Promise<RedemptionOutcome>;
  /** The site's listed records of a kind, in any order. */
  list(siteId: string, kind: ListedKind): Promise<string[]>;
  /**
   * Counts one use of every quota, or none: if one is used up, nothing is counted and no counter is created. A counter
   * ends `window` seconds after its first use. A name that is given twice is counted once and must be within both limits.
   * Returns nothing if the use was counted, else the seconds, at least 1, until the last of the used-up counters ends.
   */
  consumeQuota(siteId: string, quotas: readonly Quota[], window: number): Promise<number | null | undefined>;
  /** The ids of a member's grants, of a member's grants to one client, or of all grants to one client. */
  grantIds(siteId: string, filter: Omit<GrantFilter, 'grantId'>): Promise<string[]>;
  /** Removes the grants that match every member of the filter, with their codes and tokens. Returns their number. */
  revoke(siteId: string, filter: GrantFilter): Promise<number>;
  /** Resolves if the store works. */
  ping(): Promise<void>;
}

export const storeMethods: readonly (keyof Store)[] = [
  'find',
  'save',
  'remove',
  'redeem',
  'list',
  'consumeQuota',
  'grantIds',
  'revoke',
  'ping',
];
