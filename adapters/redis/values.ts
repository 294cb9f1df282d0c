import type { Found, RecordKind, TokenKind } from '../../lib/contracts/store.ts';

/**
 * A code, token or grant has lines for the scripts in front of its record:
 *
 * - code or token: `grant family consumed`. `consumed` is the second of the redemption, a dot and the name of the attempt.
 * - grant: `member client`. The next line lists the live families, separated by commas: each is its name, `=`, its last
 *   second and, if it has a refresh token, `=` and the last second of the newest one.
 *
 * Names are URI-encoded, so they have no space, comma, equals sign or line feed.
 */
interface TokenValue {
  readonly grant: string;
  readonly family: string;
  readonly found: Found;
}

export function isToken(kind: RecordKind): kind is TokenKind {
  return kind === 'AuthorizationCode' || kind === 'AccessToken' || kind === 'RefreshToken';
}

export function familyName(familyId: string): string {
  return encodeURIComponent(familyId);
}

export function readTokenValue(value: string): TokenValue {
  const [head, record] = cut(value);
  const [grant = '', family = '', consumed] = head.split(' ');
  const found = { record, familyId: decodeURIComponent(family) };
  return {
    grant,
    family,
    found: consumed === undefined ? found : { ...found, consumed: Number.parseInt(consumed, 10) },
  };
}

export function readGrantValue(value: string): Found {
  const [, rest] = cut(value);
  const [families, record] = cut(rest);
  const ends = [...families.matchAll(/=\d+=(\d+)/g)].map(([, end]) => Number(end));
  return { record, refreshUntil: ends.length > 0 ? Math.max(...ends) : undefined };
}

/** The first line of a grant: `grantHead`. */
export function headOf(grantValue: string): string {
  return cut(grantValue)[0];
}

/** Whether the family is on the grant's list. */
export function hasFamily(grantValue: string, family: string): boolean {
  const [families] = cut(cut(grantValue)[1]);
  return `,${families}`.includes(`,${family}=`);
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
