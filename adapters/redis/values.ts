import type { Found, RecordKind } from '../../lib/contracts/store.ts';
import { tagOf } from './keys.ts';

/**
 * A code, token or grant has lines for the scripts in front of its record:
 *
 * - code or token: `grant consumed previous`. `consumed` is the second of the redemption, a dot and the name of the
 *   attempt. `previous` refers to the refresh token or code that it was issued for, so that a revocation finds them all.
 * - grant: `member client` and, if it differs from the client, the client's tag. The next line lists the live codes and
 *   tokens, separated by commas: each is a reference, `=` and its last second. A very long list has a key of its own,
 *   and the line has a reference to it instead.
 *
 * A reference is the end of a key, for example `t:…`. Ids are URI-encoded, so they have no space, comma or line feed.
 */
export function tokenValue(record: string, grantId: string = '', previous?: string): string {
  const grant = encodeURIComponent(grantId);
  return `${previous === undefined ? grant : `${grant}  ${previous}`}\n${record}`;
}

export function isToken(kind: RecordKind): boolean {
  return kind === 'AuthorizationCode' || kind === 'AccessToken' || kind === 'RefreshToken';
}

export function readTokenValue(value: string): Found {
  const [head, record] = cut(value);
  const [, consumed = ''] = head.split(' ');
  return consumed === '' ? { record } : { record, consumed: Number.parseInt(consumed, 10) };
}

/** Milliseconds to live; 0 means no end. A lifetime that is over becomes the shortest one instead. */
export function lifetime(ttl: number | undefined): number {
  return ttl === undefined ? 0 : Math.max(1, Math.ceil(ttl * 1000));
}

/** The first line of a grant. */
export function grantHead(memberId = '', clientId = ''): string {
  const [client, tag] = [encodeURIComponent(clientId), tagOf(clientId)];
  return `${encodeURIComponent(memberId)} ${client}${tag === client ? '' : ` ${tag}`}`;
}

export function readGrantValue(value: string): Found {
  const [, rest] = cut(value);
  const [tokens, record] = cut(rest);
  const ends = [...tokens.matchAll(/(?:^|,)r:[^=]*=(\d+)/g)].map(([, end]) => Number(end));
  return { record, refreshUntil: ends.length > 0 ? Math.max(...ends) : undefined };
}

function cut(value: string): readonly [firstLine: string, rest: string] {
  const end = value.indexOf('\n');
  if (end < 0) throw new Error('a value in Redis does not have the form that this store writes');
  return [value.slice(0, end), value.slice(end + 1)];
}
