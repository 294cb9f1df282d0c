import { expect, test } from '@jest/globals';
import { checkSealed, seal, unseal } from '../../lib/records/sealed-responses.ts';

const binding = { siteId: 'harbour', clientId: 'app', refreshToken: 'token', scope: '' };
const response = { access_token: 'secret' };

test('a sealed response opens for the same request', () => {
  expect(unseal(binding, seal(binding, response))).toEqual(response);
});

test('a sealed response is not readable in a dump', () => {
  const [, text = ''] = seal(binding, response).split('.');
  expect(text.length).toBeGreaterThan(40);
  expect(Buffer.from(text, 'base64url').toString('latin1')).not.toContain('secret');
});

test.each([
  ['another site', { siteId: 'summit' }],
  ['another client', { clientId: 'other' }],
  ['another refresh token', { refreshToken: 'token2' }],
  ['another scope', { scope: 'openid' }],
])('a sealed response does not open for %s', (_name, change) => {
  expect(unseal({ ...binding, ...change }, seal(binding, response))).toBeUndefined();
});

test('a sealed response that was changed does not open', () => {
  const [version = '', text = ''] = seal(binding, response).split('.');
  const bytes = Buffer.from(text, 'base64url');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(unseal(binding, `${version}.${bytes.toString('base64url')}`)).toBeUndefined();
});

test('a sealed response of an unknown version is an error, not a response for another request', () => {
  const sealed = seal(binding, response);
  expect(checkSealed(sealed)).toBe(sealed);
  for (const other of [sealed.replace('1.', '2.'), sealed.slice(2), '']) {
    expect(() => checkSealed(other)).toThrow('does not start with');
    expect(() => unseal(binding, other)).toThrow('does not start with');
  }
});
