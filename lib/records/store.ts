import type { Finding } from '../kernel/finding.ts';
import type { Grantee } from './grantee.ts';
import type { LogStore } from './log.ts';
import type { StoreTransfer } from './store-copy.ts';
import type { StoreObserver } from './store-observer.ts';
import type { NewRecord, StoredRecord, ListedKind, RecordKind, RedeemableKind, TokenKind } from './record.ts';

/** A token to write with a redemption. It joins the grant and the family of the redeemed record. */
export interface IssuedToken {
  readonly kind: 'AccessToken' | 'RefreshToken';
  readonly id: string;
  readonly record: string;
  /** Seconds to live, but no longer than the grant. @default as long as the grant */
  readonly ttl?: number | undefined;
}

/** The exchange of a code or refresh token for tokens. It happens completely or not at all. */
export interface Redemption {
  readonly kind: RedeemableKind;
  readonly id: string;
  /** The grant of the record. */
  readonly grantId: string;
  /**
   * The epoch of the grant as it was read for these tokens. The access tokens among them are found only while it is still
   * the grant's. @default 0
   */
  readonly epoch?: number | undefined;
  /**
   * The time for `consumed` of the redeemed record, in seconds since the epoch by the clock of the process. A store with another clock,
   * such as the clock of a server, uses that. The time does not decide anything.
   */
  readonly now: number;
  /** The tokens to write if this call wins. */
  readonly tokens: readonly IssuedToken[];
  /** The winner's encrypted response, to be stored for `ttl` seconds in case the same client tries again. */
  readonly replay?: { readonly sealed: string; readonly ttl: number } | undefined;
  /**
   * A counter of which the winner uses one, in the same step, as `consumeQuota` would with this `window` in seconds. If it is used up, the
   * record is not redeemed, and the store writes nothing. @default none
   */
  readonly quota?: (Quota & { readonly window: number }) | undefined;
}

/**
 * The result of a redemption. A call that lost gets the winner's encrypted response while it is stored. If the counter is used up, a call
 * gets the seconds until the counter ends, at least 1.
 */
export type RedemptionOutcome =
  | { readonly won: true }
  | {
      readonly won: false;
      readonly replay?: string | null | undefined;
      readonly retryAfter?: number | null | undefined;
    };

/** A counter with a limit in a window of time. */
export interface Quota {
  /** The name of the counter: any text. */
  readonly name: string;
  /** The limit, rounded down. Less than 1, or not a number, means never. It can be greater than every whole number, or `Infinity`. */
  readonly limit: number;
}

/** Selects grants: all grants of a member, one of them, or all grants to a client. */
export type GrantFilter =
  { readonly memberId: string; readonly grantId?: string | undefined } | { readonly clientId: string };

/** A position in an order that a store keeps. */
export interface PageQuery {
  /** `next` of the previous page. Any other text returns an arbitrary page. @default the first page */
  readonly after?: string | undefined;
  /** The most entries of the page, 1 to 100. */
  readonly limit: number;
}

/** Some entries of an order that a store keeps. */
export interface StorePage<T> {
  /** The entries. Any page can have fewer than the limit, or be empty. */
  readonly entries: readonly T[];
  /** The start of the next page. Absent from the last page. */
  readonly next?: string | null | undefined;
}

/** A grantee and its number of grants. */
export type UsedGrantee = Grantee & { readonly grants: number };

/** A grant and the member who gave it. */
export interface GivenGrant {
  readonly id: string;
  readonly memberId: string;
}

/** The most live families of a grant: see `Store.save`. */
export const maxFamilies = 100;

/** Options of a look-up. */
export interface FindOptions {
  /** Whether to return the grant of a code or token too: see `StoredRecord.grant`. @default false */
  readonly withGrant?: boolean | undefined;
  /** Other records to return with it: see `StoredRecord.also`. @default none */
  readonly also?: readonly RecordName[] | undefined;
}

/** A record that is neither a code nor a token. */
export interface RecordName {
  readonly kind: Exclude<RecordKind, TokenKind>;
  readonly id: string;
}

/** Whether a sweep removes a record. */
export type SweepFilter = (kind: RecordKind, record: string) => boolean;

/** One step through all that is stored of a school. */
export interface SweepStep {
  /** How many records it has removed, or met, by kind. */
  readonly records: RecordCounts;
  /** Where the next step begins; absent after the last one. */
  readonly next?: string | null | undefined;
}

/** How many records there are, by kind. */
export type RecordCounts = Partial<Readonly<Record<RecordKind, number>>>;

/**
 * Stores all data of all schools. Each school has a separate space: a record of one school is never found at another. `siteId` can be `''`
 * for a space that all schools share, with records of kind `Document` and `KeyFingerprints` only. Reject if the database does not respond:
 * the client gets 503. Resolve only after the write is stored. Every call must settle, so a store that can wait needs a deadline.
 *
 * Ids of schools, records, members and clients, and records themselves, can be any text, with line ends and any characters except U+0000
 * and lone surrogates.
 *
 * `ttl` and `window` are seconds from the call that writes. All processes that share the store use one clock: the clock of a server, or of
 * a single process. Expired records are not found, redeemed, replaced or removed, as if they had never existed. Lists and counts of grants,
 * and the number of live families, may be a second late.
 *
 * Refresh tokens come in lines: the id of each is `line~token`, and `lineOf` of `campus-oidc/store` takes it apart. A redemption of the
 * live token writes its successor, in the same line, family and grant. A store may keep a record for each id, and then grows with each
 * refresh until redeemed tokens expire. Or it keeps one record for each line, with the name of the live token:
 *
 * - `find` of another name of the line returns that record with `consumed`: the second of the redemption while the replay of that name is
 *   stored, and 1 afterwards. Never 0.
 * - `redeem` of another name loses, with the replay of that name, if any. After a redemption without a successor, no token is live.
 * - `save` makes its token the live token. `remove` removes the line if the token is live.
 * - An id that does not belong to a line never finds, redeems or removes a line.
 *
 * `storeContract` of `campus-oidc/testing` checks all of this.
 */
export interface Store extends Partial<Omit<LogStore, 'observe'>> {
  /**
   * Returns a record, or `undefined` if it does not exist or has expired. Also `undefined` for a code or token whose grant does not exist
   * or whose family has ended, and for an access token of an earlier epoch of its grant.
   */
  find(siteId: string, kind: RecordKind, id: string, options?: FindOptions): Promise<StoredRecord | null | undefined>;
  /**
   * Writes or replaces one record, and starts its time to live again. Returns whether it was written: if several calls replace the same
   * text with different texts, at most one gets `true`. A write that is not made does not change a list, family or epoch either.
   *
   * A grant is listed for its member, its client, and its app if it has one. A grant that is saved again keeps its families and its epoch.
   * A new grant has no families, so codes and tokens of an earlier grant with the same id stay invalid.
   *
   * A code or token starts or prolongs its family. If its grant does not exist, the store writes nothing. A grant has at most 100 live
   * families: another family ends the family that would expire first.
   */
  save(siteId: string, entry: NewRecord): Promise<boolean>;
  /**
   * Removes one record, and a grant with all its families. Returns whether it existed: exactly one of the calls for one record gets `true`.
   * With `text`, the record stays if another text is stored, and the result is `false`. Calls for a grant, code or token do not have
   * `text`.
   */
  remove(siteId: string, kind: RecordKind, id: string, text?: string): Promise<boolean>;
  /**
   * Redeems a record by compare-and-set: exactly one of the calls for one record wins. In the same step its tokens are written, and its
   * family is prolonged until the last of them expires, but no longer than its grant lives. A call loses if the record does not exist, was
   * redeemed before or belongs to another grant. It also loses if the grant does not exist or the family has ended. A call that loses does
   * not write. Only a call that loses because the record was redeemed before gets a replay. The redeemed record stays until it expires. No
   * token survives a simultaneous end of its family or grant.
   */
  redeem(siteId: string, redemption: Redemption): Promise<RedemptionOutcome>;
  /** Returns the school's listed records of a kind, in any order. */
  list(siteId: string, kind: ListedKind): Promise<string[]>;
  /**
   * Counts `uses` (default 1) in every counter or in none. If a counter has fewer left, the call does not count or create counters. A
   * counter ends `window` seconds after its first use. A name that is given twice is counted once and must be within both limits. Returns
   * `undefined` if the uses were counted. Otherwise it returns the whole seconds, at least 1, until the last used-up counter ends, or
   * `window` for a limit below 1. A refused use does not prolong a counter.
   */
  consumeQuota(
    siteId: string,
    quotas: readonly Quota[],
    window: number,
    uses?: number,
  ): Promise<number | null | undefined>;
  /** Returns the ids of a member's grants, the longest living first, to the second. Grants that end at the same time keep their order. */
  grantIds(siteId: string, filter: { readonly memberId: string }): Promise<string[]>;
  /** Returns the number of grants to each of these, in their order, however many there are. */
  countGrants(siteId: string, grantees: readonly Grantee[]): Promise<number[]>;
  /**
   * Returns the clients that have grants, the clients with the most first. An app stands for all its clients. The store keeps this order
   * with the grants, so a call reads a bounded number of records, however many grants and clients exist. The numbers are right, and each
   * page is in their order. But a page can begin with a greater number than the end of the previous page, because expired grants may keep
   * their place. An entry whose place changes between two pages can be on both or on neither.
   */
  clientsByUse(siteId: string, page: PageQuery): Promise<StorePage<UsedGrantee>>;
  /** Returns one page of the grants to a client or app, the longest living first, to the second. It reads a bounded number of records. */
  grantsOf(siteId: string, page: Grantee & PageQuery): Promise<StorePage<GivenGrant>>;
  /**
   * Ends one family, and the grant if it has no other live family. Returns whether the family was live. If it was not, the call changes
   * nothing.
   */
  endFamily(siteId: string, grantId: string, familyId: string): Promise<boolean>;
  /**
   * Removes grants with all their families, however many. Returns their number. The client itself stays. `onRemoved` gets the member of
   * each removed grant, and must not throw.
   */
  revoke(siteId: string, filter: GrantFilter, onRemoved?: (memberId: string) => void): Promise<number>;
  /** Resolves if the store works. */
  ping(): Promise<void>;
  /**
   * Takes one bounded step through all stored data of a school, for `campus.sites` and `campus.members.erase`. It starts where the previous
   * step ended (`''` at first), and includes ended and expired records that are still stored. `removes` is a filter of records. With
   * `false`, the step only counts records. `true` removes everything, including lists, responses and counters, but counters that do not
   * show their school may stay until they end. A step can be repeated. Simultaneous writes may be missed. @default a school, or a person's
   * data, cannot be removed
   */
  sweep?(siteId: string, from: string, removes: boolean | SweepFilter): Promise<SweepStep>;
  /**
   * Time within which every call settles, in seconds. `revoke` of many grants may take that long for each of its steps. All calls of a
   * request together get the same time: `timeLeft()` of `campus-oidc/store` returns the rest. @default unknown: each call of a request may
   * take any time
   */
  readonly deadline?: number | undefined;
  /**
   * Tells the observer when the store begins to refuse calls, because it knows that they would fail, and when it works again. Refused calls
   * reject with the `cause` that the observer got, and do not cause another fault.
   * @default every call that rejects is a fault
   */
  observe?(observer: StoreObserver): void;
  /**
   * Returns problems with the store and its settings, for `campus.diagnose()`. It only reads.
   * @default only whether `ping` resolves
   */
  diagnose?(): Promise<readonly Finding[]>;
  /** Methods for `campus-oidc store copy`. @default the store cannot be copied */
  transfer?(): StoreTransfer;
}

/** The methods that every store has. */
type StoreMethod = Exclude<keyof Store, 'deadline' | 'sweep' | 'observe' | 'diagnose' | 'transfer' | keyof LogStore>;

export const storeMethods: readonly StoreMethod[] = [
  'find',
  'save',
  'remove',
  'redeem',
  'list',
  'consumeQuota',
  'grantIds',
  'countGrants',
  'clientsByUse',
  'grantsOf',
  'endFamily',
  'revoke',
  'ping',
];
