import type { StoredRecord, TokenKind } from '../../lib/contracts/record.ts';

/**
 * A code, token or grant has lines for the scripts in front of its record:
 *
 * - code or refresh token: `grant family consumed`. `consumed` is the second of the redemption, a dot and the name of the
 *   attempt; absent if it was not redeemed.
 * - access token: `grant family epoch`: the epoch of its grant. Absent if that is 0.
 * - grant: `member client epoch`: how often its access tokens have ended; absent if never. The next line lists the live families, separated by commas: each is its name, `=`, its last
 *   second and, if it has a refresh token, `=` and the last second of the newest one.
 *
 * Names are URI-encoded, so they have no space, comma, equals sign or line feed.
 */
interface TokenValue {
  readonly grant: string;
  readonly family: string;
  /** Of an access token. */
  readonly epoch: number | undefined;
  readonly found: StoredRecord;
}

export function familyName(familyId: string): string {
  return encodeURIComponent(familyId);
}

export function readTokenValue(kind: TokenKind, value: string): TokenValue {
  const [head, record] = cut(value);
  const [grant = '', family = '', word = ''] = head.split(' ');
  const found = { record, familyId: decodeURIComponent(family) };
  if (kind === 'AccessToken') return { grant, family, epoch: Number(word), found };
  const consumed = word === '' ? undefined : Number.parseInt(word, 10);
  return { grant, family, epoch: undefined, found: { ...found, consumed } };
}

export function readGrantValue(value: string): StoredRecord {
  const [head, rest] = cut(value);
  const [families, record] = cut(rest);
  const ends = [...families.matchAll(/=\d+=(\d+)/g)].map(([, end]) => Number(end));
  const devices = ends.filter((end) => end * 1000 > Date.now()).length;
  return { record, refreshUntil: ends.length > 0 ? Math.max(...ends) : undefined, devices, epoch: epochIn(head) };
}

function epochIn(head: string): number {
  return Number(head.split(' ')[2] ?? 0);
}

/** The first line of a grant: `grantHead`, and its epoch. */
export function headOf(grantValue: string): string {
  return cut(grantValue)[0];
}

/** Whether the token's family is on the grant's list, and its epoch is the grant's. */
export function isValidIn(grantValue: string, { family, epoch }: TokenValue): boolean {
  const [head, rest] = cut(grantValue);
  const [families] = cut(rest);
  return `,${families}`.includes(`,${family}=`) && (epoch === undefined || epoch === epochIn(head));
}

/** Milliseconds to live; 0 means no end. A lifetime that is over becomes the shortest one instead. */
export function lifetime(ttl: number | undefined): number {
  return ttl === undefined ? 0 : Math.max(1, Math.ceil(ttl * 1000));
}

function cut(value: string): readonly [firstLine: string, rest: string] {
  const end = value.indexOf('\n');
  if (end < 0) throw new Error('a value in Redis does not have the form that this store writes');
  return [value.slice(0, end), value.slice(end + 1)];
}
