import { expect, test } from '@jest/globals';
import { honouring, mayShare, personToken, serviceToken } from '../../lib/core/bearer/verified-token.ts';
import { harbourSite } from '../helpers/sites.ts';

const boundaries = ['class', 'team'].map((type) => ({ type, name: type, scopes: ['courses:read'] }));
const token = {
  site: harbourSite(),
  member: { id: 'olivia', roles: ['owner'] },
  clientId: 'reports',
  audience: 'operator',
  scopes: ['openid', 'courses:read'],
  only: { class: ['7a', '7b'], team: ['1'] },
  expiresAt: 1,
} as const;
const keyOf = (changes: Partial<Parameters<typeof personToken>[0]> = {}): string =>
  personToken({ ...token, ...changes }, boundaries).cacheKey;

test.each<[string, Partial<Parameters<typeof personToken>[0]>]>([
  ['school', { site: harbourSite('https://harbour.example', { id: 'summit' }) }],
  ['person', { member: { id: 'sam', roles: ['owner'] } }],
  ['client', { clientId: 'timetable' }],
  ['scopes', { scopes: ['openid'] }],
  ['limits', { only: { class: ['7a'], team: ['1'] } }],
  ['the type of a limit', { only: { class: ['7a', '7b'], club: ['1'] } }],
  ['a limit that is gone', { only: undefined }],
])('access.cacheKey depends on the %s', (_what, changes) => {
  expect(keyOf(changes)).not.toBe(keyOf());
});

test('and is the same for another token with the same, however it is written', () => {
  const only = { team: ['1'], class: ['7b', '7a'] };
  expect(keyOf({ expiresAt: 2, authTime: 3, acr: 'high', scopes: ['courses:read', 'openid'], only })).toBe(keyOf());
  expect(keyOf()).toMatch(/^[\w-]{43}$/);
});

test('the key of a service is not that of a person', () => {
  const { site, clientId, scopes, expiresAt } = token;
  const service = { site, clientId, scopes, expiresAt, audience: 'service', service: { roles: [] } } as const;
  expect(serviceToken(service, boundaries).cacheKey).not.toBe(keyOf({ only: undefined }));
});

test('a token with limits may share once the key was read, in any copy of it; one without limits always', () => {
  const access = personToken(token, boundaries);
  const copy = honouring(access, ['class']);
  expect(mayShare(access)).toBe(false);
  expect(copy.cacheKey).toBe(keyOf());
  expect(mayShare(access)).toBe(true);
  expect(mayShare(personToken({ ...token, only: undefined }, boundaries))).toBe(true);
});
