import type { NewRecord, TokenKind } from '../../contracts/record.ts';
import type { IssuedToken, Redemption } from '../../contracts/store.ts';

/** A grant, by default of sam to the app, that lives for a minute. */
export function grant(id: string, memberId = 'sam', clientId = 'app'): NewRecord {
  return { kind: 'Grant', id, record: `grant ${id}`, ttl: 60, memberId, clientId };
}

/** A code or token that lives for a minute. */
export function token(kind: TokenKind, id: string, grantId: string, familyId = 'family'): NewRecord {
  return { kind, id, record: `${kind} ${id}`, ttl: 60, grantId, familyId };
}

/** An access token and a refresh token, `a <name>` and `r <name>`. */
export function pair(name: string, ttl = 60): IssuedToken[] {
  return [
    { kind: 'AccessToken', id: `a ${name}`, record: `access ${name}`, ttl },
    { kind: 'RefreshToken', id: `r ${name}`, record: `refresh ${name}`, ttl },
  ];
}

/** The exchange of `code <name>` for `a <name>` and `r <name>`. */
export function exchangeOf(name: string, grantId: string): Redemption {
  return { kind: 'AuthorizationCode', id: `code ${name}`, grantId, now: 1, tokens: pair(name) };
}

/** The refresh of `r <name>` for `a <next>` and `r <next>`. */
export function refreshOf(name: string, next: string, grantId: string): Redemption {
  return { kind: 'RefreshToken', id: `r ${name}`, grantId, now: 2, tokens: pair(next) };
}
