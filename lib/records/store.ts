import type { Finding } from '../kernel/finding.ts';
import type { Grantee } from './grantee.ts';
import type { LogStore } from './log.ts';
import type { StoreTransfer } from './store-copy.ts';
import type { StoreObserver } from './store-observer.ts';
import type { NewRecord, StoredRecord, ListedKind, RecordKind, RedeemableKind } from './record.ts';

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
   * Seconds since the epoch by the clock of the process: `consumed` of the redeemed record, in a store that has no other clock. One that
   * has, such as the clock of a server, takes that. It decides nothing.
   */
  readonly now: number;
  /** The tokens to write if this call wins. */
  readonly tokens: readonly IssuedToken[];
  /** The winner's encrypted response, to be stored for `ttl` seconds in case the same client tries again. */
  readonly replay?: { readonly sealed: string; readonly ttl: number } | undefined;
  /**
   * A quota of which the winner counts one use, in the same step, as `consumeQuota` would with this `window` in seconds. If it
   * is used up, the record is not redeemed and nothing is written. @default none
   */
  readonly quota?: (Quota & { readonly window: number }) | undefined;
}

/**
 * Whether this call redeemed the record. A call that lost gets the winner's encrypted response while it is stored; one whose
 * quota is used up gets the seconds, at least 1, until the quota's counter ends.
 */
export type RedemptionOutcome =
  | { readonly won: true }
  | {
      readonly won: false;
      readonly replay?: string | null | undefined;
      readonly retryAfter?: number | null | undefined;
    };

/** How often something may happen in a window of time. */
export interface Quota {
  /** The name of the counter: any text. */
  readonly name: string;
  /** Rounded down; less than 1, or not a number, for never. It can be greater than every whole number, or `Infinity`. */
  readonly limit: number;
}

/** Selects grants: those of a member, one of them, or those to a client. */
export type GrantFilter =
  { readonly memberId: string; readonly grantId?: string | undefined } | { readonly clientId: string };

/** A place in an order that a store keeps. */
export interface PageQuery {
  /** `next` of the page before; any other text gives some page. @default the first page */
  readonly after?: string | undefined;
  /** The most entries of the page, 1 to 100. */
  readonly limit: number;
}

/** Some entries of an order that a store keeps. */
export interface StorePage<T> {
  /** There can be fewer than the limit, or none, on every page. */
  readonly entries: readonly T[];
  /** The start of the next page. Absent from the last page. */
  readonly next?: string | null | undefined;
}

/** A grantee and how many grants it has. */
export type UsedGrantee = Grantee & { readonly grants: number };

/** A grant and who gave it. */
export interface GivenGrant {
  readonly id: string;
  readonly memberId: string;
}

/** The most live families of a grant: see `Store.save`. */
export const maxFamilies = 100;

/** What a look-up is made for. */
export interface FindOptions {
  /** The grant of a code or token is also needed: see `StoredRecord.grant`. @default false */
  readonly withGrant?: boolean | undefined;
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
 * Stores all data of all schools. Each school has a space of its own: a record of one school is never found at another. `siteId`
 * can be `''`: that is one more space, which all schools share, and only records of kind `Document` and `KeyFingerprints` are stored there. A call
 * that rejects is a fault and becomes 503; a write that resolves has been written. A call must settle, so a store that
 * can wait needs a deadline.
 *
 * Ids of schools, records, members and clients, and records themselves, can be any text, with line ends and any characters but U+0000 and
 * lone surrogates.
 *
 * `ttl` and `window` are seconds from the call that writes, by one clock for all processes that share the store: that of a
 * server, or of the process if there is only one. What has expired is not found, redeemed, replaced or removed: it is as if it
 * had never been there. What lists or counts grants, and the number of live families, may be a second late.
 *
 * Refresh tokens come in lines: the id of each is `line~token`, and `lineOf` of `campus-oidc/store` takes it apart. A redemption of the live one
 * writes its successor, which is of the same line, family and grant. A store may keep a record for each id, as for all
 * else; it then grows with each refresh until the redeemed ones expire. Or it keeps one record for each line, with the name of the live token:
 *
 * - `find` of another name of the line returns that record with `consumed`: the second of the redemption while the replay of that name is
 *   stored, 1 once that is no longer known. Never 0.
 * - `redeem` of another name loses, with the replay of that name if there is one. A redemption without a successor leaves no live one.
 * - `save` makes its token the live one. `remove` removes the line, if the token is the live one.
 * - An id that is not of a line never finds, redeems or removes a line, whatever its text.
 *
 * `storeContract` of `campus-oidc/testing` checks all of this.
 */
export interface Store extends Partial<Omit<LogStore, 'observe'>> {
  /**
   * Finds a record; nothing if there is none or it has expired, or if it is a code or token whose grant does not exist or
   * whose family has ended, or an access token of an earlier epoch of its grant.
   */
  find(siteId: string, kind: RecordKind, id: string, options?: FindOptions): Promise<StoredRecord | null | undefined>;
  /**
   * Writes or replaces one record; its time to live starts again. Returns whether it was written: at most one of the
   * calls that replace the same text with different ones gets `true`. A write that is not made changes nothing else either:
   * no list, no family, no epoch.
   *
   * A grant is listed for its member, its client, and its app if it has one. One that is saved again keeps its families and its epoch, one that did
   * not exist has no families: codes and tokens of an earlier grant with the same id stay invalid.
   *
   * A code or token starts its family, or prolongs it; if its grant does not exist, nothing is written. A grant has at most
   * 100 live families: a further one ends the one that would expire first.
   */
  save(siteId: string, entry: NewRecord): Promise<boolean>;
  /**
   * Removes one record; a grant with all its families. Returns whether it existed: exactly one of the calls for one record
   * gets `true`. With `text`, which no call for a grant, code or token has, the record stays if another text is stored, and the result is `false`.
   */
  remove(siteId: string, kind: RecordKind, id: string, text?: string): Promise<boolean>;
  /**
   * Compare-and-set: exactly one of the calls for one record wins, and in the same step its tokens are written
   * and its family is prolonged until the last of them expires, but no longer than its grant lives. A call loses and
   * writes nothing if the record does not exist, was redeemed before or belongs to another grant, or if its grant does not
   * exist or its family has ended. Only a call that loses because the record was redeemed before gets a replay. The redeemed
   * record stays until it expires. Whatever ends a family or a grant at the same moment: no token survives it.
   */
  redeem(siteId: string, redemption: Redemption): Promise<RedemptionOutcome>;
  /** The school's listed records of a kind, in any order. */
  list(siteId: string, kind: ListedKind): Promise<string[]>;
  /**
   * Counts `uses` (1 if it is left out) of every quota, or none: if one does not have as many left, nothing is counted and no
   * counter is created. A counter ends `window` seconds after its first use. A name that is given twice is counted once and must be
   * within both limits. Returns nothing if the uses were counted, otherwise the whole seconds, at least 1, until the last of the used-up
   * counters ends; `window` for a limit that permits nothing. A refused use does not prolong a counter.
   */
  consumeQuota(
    siteId: string,
    quotas: readonly Quota[],
    window: number,
    uses?: number,
  ): Promise<number | null | undefined>;
  /** The ids of a member's grants: first those that live longest, to the second. */
  grantIds(siteId: string, filter: { readonly memberId: string }): Promise<string[]>;
  /** The number of grants to each of these, in their order, however many they are. */
  countGrants(siteId: string, grantees: readonly Grantee[]): Promise<number[]>;
  /**
   * The clients that have grants, those with the most first; an app stands for all of its clients. The store keeps this order with the grants:
   * a call reads a bounded number of records, however many grants and clients there are. The numbers are right, and each page is in
   * their order, but a page can begin with a greater one than the page before ended with: what has expired may still
   * have its place. What changes its place between two pages can come twice, or on neither.
   */
  clientsByUse(siteId: string, page: PageQuery): Promise<StorePage<UsedGrantee>>;
  /** The grants to a client or app: first those that live longest, to the second, as many as the page has. It is as bounded. */
  grantsOf(siteId: string, page: Grantee & PageQuery): Promise<StorePage<GivenGrant>>;
  /**
   * Ends one family and, if no other one of its grant is live, the grant. Returns whether the family was live; if not, nothing
   * changes.
   */
  endFamily(siteId: string, grantId: string, familyId: string): Promise<boolean>;
  /**
   * Removes grants with all their families, however many. Returns their number. The client itself stays. `onRemoved` gets the member of each
   * grant that this call has removed; what it does must not throw.
   */
  revoke(siteId: string, filter: GrantFilter, onRemoved?: (memberId: string) => void): Promise<number>;
  /** Resolves if the store works. */
  ping(): Promise<void>;
  /**
   * For `campus.sites` and `campus.members.erase`: takes one bounded step through all that is stored of a school, from where the step before it has ended
   * (`''` at first), also what has ended or expired and is still stored. `removes` is a filter of records; `false` removes nothing, and counts; `true`
   * removes everything, also lists, responses and counters, but counters that do not show their school may stay until they end. A step that is
   * repeated does no harm. What is written meanwhile may be missed. @default a school, or a person's data, cannot be removed
   */
  sweep?(siteId: string, from: string, removes: boolean | SweepFilter): Promise<SweepStep>;
  /**
   * Seconds within which every call settles; `revoke` of many grants may take that long for each of its steps. All calls of a request together get no more: `timeLeft()` of `campus-oidc/store`
   * is what is left to a call. @default not known; each call of a request may take its own time
   */
  readonly deadline?: number | undefined;
  /**
   * Tells the observer when the store begins to refuse calls, because it knows that they would fail, and when it works again.
   * Calls that are refused reject with the very `cause` that the observer got, and cause no further fault.
   * @default every call that rejects is a fault
   */
  observe?(observer: StoreObserver): void;
  /**
   * What is wrong with the store and its settings, for `campus.diagnose()`. Changes nothing.
   * @default only whether `ping` resolves
   */
  diagnose?(): Promise<readonly Finding[]>;
  /** For `campus-oidc store copy`. @default the store cannot be copied */
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
