import { expect, test } from '@jest/globals';
import { seal, unseal } from '../../lib/records/replay.ts';

const binding = { siteId: 'harbour', clientId: 'app', refreshToken: 'token', scope: '' };
const answer = { access_token: 'secret' };

test('a sealed answer opens for the same request', () => {
  expect(unseal(binding, seal(binding, answer))).toEqual(answer);
});

test('a sealed answer is not readable in a dump', () => {
  expect(Buffer.from(seal(binding, answer), 'base64url').toString('latin1')).not.toContain('secret');
});

test.each([
  ['another site', { siteId: 'summit' }],
  ['another client', { clientId: 'other' }],
  ['another refresh token', { refreshToken: 'token2' }],
  ['another scope', { scope: 'openid' }],
])('a sealed answer does not open for %s', (_name, change) => {
  expect(unseal({ ...binding, ...change }, seal(binding, answer))).toBeUndefined();
});

test('what was tampered with does not open', () => {
  const sealed = Buffer.from(seal(binding, answer), 'base64url');
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  expect(unseal(binding, sealed.toString('base64url'))).toBeUndefined();
});
