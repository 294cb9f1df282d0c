import { expect, test } from '@jest/globals';
import Koa from 'koa';
import { cookieKeys } from '../../lib/engine/cookie-keys.ts';

const secrets = ['first secret of cookies', 'a secret of before'];

/** The signature that Koa itself makes with a list of secrets. */
function signedByKoa(keys: readonly string[], value: string): string {
  const app = new Koa({ keys: [...keys] });
  const headers: Record<string, unknown> = {};
  const req = { headers: {}, socket: {} };
  const res = {
    getHeader: (name: string) => headers[name],
    setHeader: (name: string, set: unknown) => (headers[name] = set),
  };
  // What is asked of the two is in them.
  const context = app.createContext(Object(req), Object(res));
  context.cookies.set('name', value, { signed: true });
  const [, signature = ''] = /name\.sig=([^;]*)/.exec(JSON.stringify(headers)) ?? [];
  return signature;
}

test.each(['', 'value', 'a-long-value'.repeat(20)])('%j is signed as by Koa, and by earlier secrets', (value) => {
  const keys = cookieKeys(secrets);
  const data = `name=${value}`;
  expect(keys.sign(data)).toBe(signedByKoa(secrets, value));
  expect(keys.index(data, keys.sign(data))).toBe(0);
  expect(keys.index(data, signedByKoa(secrets.slice(1), value))).toBe(1);
  expect(keys.verify(data, signedByKoa(['another secret of cookies'], value))).toBe(false);
});

test.each([
  ['nothing', ''],
  ['a part of it', (signature: string) => signature.slice(0, -1)],
  ['more', (signature: string) => `${signature}A`],
  ['another letter', (signature: string) => (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)],
  ['text that is longer in bytes', (signature: string) => signature.slice(0, -1) + '\u00e9'],
])('a signature with %s is none', (_name, change) => {
  const keys = cookieKeys(secrets);
  const signature = keys.sign('name=value');
  expect(keys.verify('name=value', typeof change === 'string' ? change : change(signature))).toBe(false);
  expect(keys.verify('name=other', signature)).toBe(false);
});
