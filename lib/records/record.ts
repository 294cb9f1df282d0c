import type { MemberTypes } from './record-kind-row.ts';
import { recordKinds, type RecordTable } from './record-kinds.ts';

/** The kinds of record. The id of a session, interaction, code or token reaches a store as its SHA-256 digest only. */
export type RecordKind = keyof RecordTable;

/** The kinds whose row has this. */
type KindWith<Row> = { [K in RecordKind]: RecordTable[K] extends Row ? K : never }[RecordKind];

/** Kinds whose records can be listed. */
export type ListedKind = KindWith<{ readonly list: string }>;

/**
 * Codes and tokens. Each belongs to a token family of a grant: the code of one authorization and all tokens from it, on one device of the
 * person. They are valid only while the grant exists and its list of live families has the family, so one small write ends all of them.
 */
export type TokenKind = KindWith<{ readonly token: string }>;

/** Kinds that can be redeemed once. */
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

/** A refresh token of a line: the names of the line and of the token. */
export interface LineToken {
  readonly line: string;
  readonly token: string;
}

const lineForm = /^([\w-]{22})~([\w-]{22})$/;

/**
 * Returns the line of refresh tokens in the id of a record, or `undefined` for other ids. A line is all tokens that one authorization gets
 * by refreshes. At most one of them is live, so a store can keep one record for a line, with the name of the live token: see `Store`. A
 * store that keeps a record for each id does not need this.
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

/** The school whose name in keys this is. */
export function siteIdOf(name: string): string {
  return name === '%' ? '' : decodeURIComponent(name);
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
  /** The saved text. A store never reads its content. */
  readonly record: string;
  /** Codes and tokens: their family. */
  readonly familyId?: string | null | undefined;
  /** The time of the redemption, in seconds since the epoch by the clock of the store. Absent if the record was not redeemed. */
  readonly consumed?: number | null | undefined;
  /**
   * With `consumed`: the time of this look-up, by the same clock. Processes with different clocks then agree on the time since the
   * redemption. @default the clock of the process
   */
  readonly now?: number | null | undefined;
  /**
   * Grants: their live families that have an unexpired refresh token. `refreshUntil` is when the newest one expires, no later than the
   * grant, in seconds since the epoch. It is absent if the token does not expire. The list may be a second late.
   */
  readonly devices?: readonly StoredDevice[] | null | undefined;
  /**
   * Codes and tokens, found with `FindOptions.withGrant`: their grant at that moment, as `find` returns it, perhaps without `devices`. A
   * store may omit it, and the caller then looks it up.
   */
  readonly grant?: StoredRecord | null | undefined;
  /**
   * The records that `FindOptions.also` names, in its order, as `find` returns them, grants perhaps without `devices`. With a code or token
   * they are as they were when that was read, or later. A store may omit the whole list, and the caller then looks them up.
   */
  readonly also?: readonly (StoredRecord | null | undefined)[] | null | undefined;
  /** Grants: their epoch, the number of times that `NewRecord.endsAccessTokens` was used. @default 0 */
  readonly epoch?: number | null | undefined;
}

/** A record to write. */
export interface NewRecord {
  readonly kind: RecordKind;
  readonly id: string;
  readonly record: string;
  /** Seconds to live. A code or token lives no longer than its grant. @default until it is removed */
  readonly ttl?: number | undefined;
  /**
   * For a `ListedKind`: whether `list` returns it. Always `true`, except for clients. A listed record lives until it is removed and has no
   * `ttl`. @default false
   */
  readonly listed?: boolean | undefined;
  /** Codes and tokens, required: their grant. */
  readonly grantId?: string | undefined;
  /** Codes and tokens, required: their family. Its id is unique within the grant, including ended families. */
  readonly familyId?: string | undefined;
  /** Grants, required: the member who gave it, always the same for one id. */
  readonly memberId?: string | undefined;
  /** Grants, required: the client that received it, always the same for one id. */
  readonly clientId?: string | undefined;
  /** Grants: the app under which this client is counted and listed, always the same for one client. @default the client is counted alone */
  readonly app?: string | undefined;
  /**
   * All kinds except codes and tokens: write only if the stored text still equals this text, or with `null`, only if the record does not
   * exist. Otherwise the store writes nothing. If the stored text equals the new text, the write was repeated and succeeds without a
   * change. @default write whatever is stored
   */
  readonly replaces?: string | null | undefined;
  /**
   * Grants: whether existing access tokens of all families are no longer found. Codes and refresh tokens stay valid. The grant's epoch
   * increases by one. Other kinds ignore it. @default false
   */
  readonly endsAccessTokens?: boolean | undefined;
}
