import type { MemberTypes } from './record-kind-row.ts';
import { recordKinds, type RecordTable } from './record-kinds.ts';

/** The kinds of record. The id of a session, interaction, code or token reaches a store as its SHA-256 digest only. */
export type RecordKind = keyof RecordTable;

/** The kinds whose row has this. */
type KindWith<Row> = { [K in RecordKind]: RecordTable[K] extends Row ? K : never }[RecordKind];

/** Kinds whose records can be listed. */
export type ListedKind = KindWith<{ readonly list: string }>;

/**
 * Codes and tokens. Each belongs to a grant, and there to a token family: the code of one authorization and all tokens that
 * come of it, on one device of the person. They are valid only while the grant exists and the family is on its list of live
 * families, so that one small write ends all of them.
 */
export type TokenKind = KindWith<{ readonly token: string }>;

/** Kinds that can be redeemed, once. */
export type RedeemableKind = KindWith<{ readonly token: 'redeemable' }>;

/** Kinds of which the engine keeps records. Clients are looked up otherwise. */
export type EngineKind = Exclude<KindWith<{ readonly engine: true }>, 'Client'>;

/** The kinds that the engine writes; a consent writes grants. */
export type WrittenKind = KindWith<{ readonly unread: readonly string[] }>;

export function isRecordKind(name: string): name is RecordKind {
  return Object.hasOwn(recordKinds, name);
}

export function isListed(kind: RecordKind): kind is ListedKind {
  return recordKinds[kind].list !== undefined;
}

/** Whether all its records are listed. */
export function isAlwaysListed(kind: RecordKind): kind is ListedKind {
  return isListed(kind) && recordKinds[kind].unlisted !== true;
}

export function isToken(kind: RecordKind): kind is TokenKind {
  return recordKinds[kind].token !== undefined;
}

export function isRedeemable(kind: RecordKind): kind is RedeemableKind {
  return recordKinds[kind].token === 'redeemable';
}

/** Whether this is a kind, as the engine names it. */
export function isEngineKind(name: string): name is EngineKind {
  return name !== 'Client' && Object.entries(recordKinds).some(([kind, row]) => kind === name && row.engine === true);
}

/** Half of a SHA-256 is unique enough for a name: 132 bits in characters of base64url. */
const nameLength = 22;

/** The name of a record within its kind, the same in all stores: without space, comma, equals sign, colon and brace. */
export function nameOf(kind: RecordKind, id: string): string {
  const isDigest = recordKinds[kind].secret === true && /^[\w-]{43}$/.test(id);
  return isDigest ? id.slice(0, nameLength) : encodeURIComponent(id);
}

/** A refresh token that belongs to a line: the name of the line, and its own. */
export interface LineToken {
  readonly line: string;
  readonly token: string;
}

const lineForm = /^([\w-]{22})~([\w-]{22})$/;

/**
 * What the id of a record says of a line of refresh tokens; nothing for every other id. All tokens that come of one authorization by
 * refreshes are a line. At most one of them is live, so a store can keep one record for a line, with the name of that one: see `Store`.
 * A store that keeps a record for each id does not need this.
 */
export function lineOf(kind: RecordKind, id: string): LineToken | undefined {
  if (kind !== 'RefreshToken') return undefined;
  const [, line, token] = lineForm.exec(id) ?? [];
  return line === undefined || token === undefined ? undefined : { line, token };
}

/** The id of a refresh token of a line, by two digests. */
export function lineId(line: string, token: string): string {
  return `${line.slice(0, nameLength)}~${token.slice(0, nameLength)}`;
}

/** The name of a school in keys. */
export function siteName(siteId: string): string {
  return siteId === '' ? '%' : encodeURIComponent(siteId);
}

type Value<T> = T extends keyof MemberTypes ? MemberTypes[T] : T extends readonly (infer V)[] ? V : never;

/** Members that the engine checks itself. */
export type EngineRecord = Readonly<Record<string, unknown>>;

/** A record of a kind. */
export type RecordOf<K extends RecordKind> = {
  readonly [M in keyof RecordTable[K]['members']]: Value<RecordTable[K]['members'][M]>;
} & (RecordTable[K] extends { readonly optional: infer O }
  ? { readonly [M in keyof O]?: Value<O[M]> | undefined }
  : unknown) &
  (RecordTable[K] extends { readonly engine: true } ? EngineRecord : unknown);

/** A device that is signed in: its token family. */
export interface StoredDevice {
  readonly familyId: string;
  /** In seconds since the epoch; absent if it does not expire. */
  readonly refreshUntil?: number | null | undefined;
}

/** A record that was found. Wherever a store has no value, `null` means the same as `undefined`. */
export interface StoredRecord {
  /** The text that was saved. A store never looks inside. */
  readonly record: string;
  /** Codes and tokens: their family. */
  readonly familyId?: string | null | undefined;
  /** When the record was redeemed, in seconds since the epoch by the clock of the store; absent if it was not. */
  readonly consumed?: number | null | undefined;
  /**
   * Beside `consumed`: the time of this look-up, by the same clock. Processes whose clocks differ then agree on how long ago it was
   * redeemed. @default the clock of the process, which is that of a store in its memory
   */
  readonly now?: number | null | undefined;
  /**
   * Grants: those of their live families that have a refresh token which has not expired, and when the newest one of each expires,
   * no later than the grant, in seconds since the epoch; absent if it does not expire. It may be a second late.
   */
  readonly devices?: readonly StoredDevice[] | null | undefined;
  /**
   * Codes and tokens, found with `FindOptions.withGrant`: their grant at that moment, as `find` returns it. A store that does
   * not have it at hand leaves it out; the caller then looks it up.
   */
  readonly grant?: StoredRecord | null | undefined;
  /** Grants: their epoch, the number of times that `NewRecord.endsAccessTokens` was used. @default 0 */
  readonly epoch?: number | null | undefined;
}

/** A record to write. */
export interface NewRecord {
  readonly kind: RecordKind;
  readonly id: string;
  readonly record: string;
  /** Seconds to live; a code or token lives no longer than its grant. @default until it is removed */
  readonly ttl?: number | undefined;
  /**
   * A `ListedKind`: whether `list` lists it; always `true` but for clients. A listed record lives until it is removed and has no
   * `ttl`. @default false
   */
  readonly listed?: boolean | undefined;
  /** Codes and tokens, required: their grant. */
  readonly grantId?: string | undefined;
  /** Codes and tokens, required: their family. Its id is unique within the grant, also among families that have ended. */
  readonly familyId?: string | undefined;
  /** Grants, required: the member who gave it, always the same for one id. */
  readonly memberId?: string | undefined;
  /** Grants, required: the client that received it, always the same for one id. */
  readonly clientId?: string | undefined;
  /**
   * Grants: the app with whose other clients this one is counted and listed, always the same for one client. @default the client is
   * counted alone
   */
  readonly app?: string | undefined;
  /**
   * Every kind but codes and tokens: write only if the stored text is still this one, as it was read; `null`: only if the
   * record does not exist. If it is another one by now, nothing is written. It counts as written if that other one is the new
   * one already: then this write was sent a second time, and nothing changes. @default write whatever is stored
   */
  readonly replaces?: string | null | undefined;
  /**
   * Grants: the access tokens written so far, of all families, are no longer found. Codes and refresh tokens stay valid.
   * The grant's epoch goes up by one. Other kinds ignore it. @default false
   */
  readonly endsAccessTokens?: boolean | undefined;
}
