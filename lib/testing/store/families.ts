import assert from 'node:assert/strict';
import type { NewRecord, StoredRecord, TokenKind } from '../../records/record.ts';
import type { IssuedToken, Redemption } from '../../records/store.ts';
import { type Bench, same } from './case.ts';

/** A grant, by default of sam to the app, that lives for a minute. */
export function grant(id: string, memberId = 'sam', clientId = 'app'): NewRecord {
  return { kind: 'Grant', id, record: `grant ${id}`, ttl: 60, memberId, clientId };
}

/** A code or token that lives for a minute. */
export function token(kind: TokenKind, id: string, grantId: string, familyId = 'family'): NewRecord {
  return { kind, id, record: `${kind} ${id}`, ttl: 60, grantId, familyId };
}

/** The code of a token family: one authorization, which people know as a device. */
export function code(familyId: string, grantId = 'g'): NewRecord {
  return token('AuthorizationCode', `code ${familyId}`, grantId, familyId);
}

/** An access token and a refresh token, `a <name>` and `r <name>`. */
export function pair(name: string, ttl = 60): IssuedToken[] {
  return [
    { kind: 'AccessToken', id: `a ${name}`, record: `access ${name}`, ttl },
    { kind: 'RefreshToken', id: `r ${name}`, record: `refresh ${name}`, ttl },
  ];
}

/** The exchange of `code <name>` for `a <name>` and `r <name>`. */
export function exchangeOf(name: string, grantId = 'g'): Redemption {
  return { kind: 'AuthorizationCode', id: `code ${name}`, grantId, now: 1, tokens: pair(name) };
}

/** Checks a record that was redeemed with this `now`: by the clock of the store, or else by that of the caller, it was less than a minute ago. */
export function redeemedJustNow(record: StoredRecord | null | undefined, sent: number): void {
  const { consumed, now } = record ?? {};
  assert.ok(typeof consumed === 'number', 'the redeemed record has no `consumed`');
  const age = (now ?? sent) - consumed;
  const clock = typeof now === 'number' ? '`now` of the look-up' : '`now` of the redemption';
  assert.ok(age >= 0 && age < 60, `\`consumed\` is ${consumed}, ${age} seconds before ${clock}`);
}

/** The refresh of `r <name>` for `a <next>` and `r <next>`. */
export function refreshOf(name: string, next: string, grantId = 'g'): Redemption {
  return { kind: 'RefreshToken', id: `r ${name}`, grantId, now: 2, tokens: pair(next) };
}

/** Exchanges the code of a family. */
export async function signIn(bench: Bench, familyId: string, grantId?: string): Promise<void> {
  await bench.save(code(familyId, grantId));
  same(await bench.redeem(exchangeOf(familyId, grantId)), { won: true });
}

export async function twoFamilies(bench: Bench): Promise<void> {
  await bench.save(grant('g'));
  await signIn(bench, 'phone');
  await signIn(bench, 'laptop');
}

/** Which of the tokens of these families are found. */
export async function found(bench: Bench, ...names: readonly string[]): Promise<string[]> {
  const all = names.map(async (name) => [
    ...((await bench.exists('AccessToken', `a ${name}`)) ? [`a ${name}`] : []),
    ...((await bench.exists('RefreshToken', `r ${name}`)) ? [`r ${name}`] : []),
  ]);
  return (await Promise.all(all)).flat();
}

/** Which of these families have an access token that is found. */
export async function accessTokens(bench: Bench, ...names: readonly string[]): Promise<string[]> {
  const all = await found(bench, ...names);
  return names.filter((name) => all.includes(`a ${name}`));
}
