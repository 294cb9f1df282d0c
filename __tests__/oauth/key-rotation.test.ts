import { afterEach, expect, test } from '@jest/globals';
import type { CampusKeys, Jwk } from '../../lib/index.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { authorizeUrl, connect, exchange, memberApp, pkce } from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

afterEach(resetClock);

const [first, second] = await Promise.all([signingKey('first'), signingKey('second')]);
const cookies = ['a secret of the tests'];
const keysOf = (...signing: readonly Jwk[]): CampusKeys => ({ signing, cookies });

async function publishedKids(origin: string): Promise<string[]> {
  const response = await fetch(`${origin}/.well-known/jwks.json`);
  const { keys }: { keys: { kid: string; d?: string }[] } = JSON.parse(await response.text());
  expect(keys.filter(({ d }) => d !== undefined)).toEqual([]);
  return keys.map(({ kid }) => kid);
}

async function signingKid({ browser, harbour }: Pick<Schools, 'browser' | 'harbour'>): Promise<unknown> {
  const { body } = await connect(browser('sam'), harbour, memberApp);
  const { id_token: token } = body;
  if (typeof token !== 'string') return undefined;
  const [header = ''] = token.split('.');
  return JSON.parse(Buffer.from(header, 'base64url').toString())['kid'];
}

test('keys may be a function: a rotation needs no restart, and what has begun goes on', async () => {
  let now = keysOf(first);
  let asked = 0;
  const keys = (): CampusKeys => {
    asked += 1;
    return now;
  };
  const schools = await startSchools({ campus: { keys } });
  expect(await signingKid(schools)).toBe('first');
  const sam = schools.browser('sam');
  const pair = pkce();
  const atConsent = await sam.follow(authorizeUrl(schools.harbour, memberApp, pair));
  now = { signing: [second], published: [first], cookies: ['another secret of tests', ...cookies] };
  expect(await publishedKids(schools.harbour)).toEqual(['first']);
  expect(asked).toBe(1);

  setClockAhead(11);
  expect(await publishedKids(schools.harbour)).toEqual(['second', 'first']);
  const { url } = await sam.decide(atConsent, 'allow');
  const code = url.searchParams.get('code') ?? '';
  const { status } = await exchange({ origin: schools.harbour, client: memberApp, code, verifier: pair.verifier });
  expect(status).toBe(200);
  expect(await signingKid(schools)).toBe('second');
  expect(asked).toBe(2);
  await schools.close();
});

test('a function that fails later is a fault, and the last keys remain', async () => {
  let broken: (() => CampusKeys) | undefined;
  const schools = await startSchools({ campus: { keys: () => broken?.() ?? keysOf(first) } });
  for (const [seconds, wrong] of [
    [11, () => JSON.parse('{')],
    [22, () => keysOf({ ...first, alg: 'RS256' })],
    [33, () => Object(Promise.resolve(keysOf(second)))],
  ] as const) {
    broken = wrong;
    setClockAhead(seconds);
    expect(await publishedKids(schools.harbour)).toEqual(['first']);
  }
  expect(schools.faults.map(({ message }) => message)).toEqual(Array(3).fill('keys() failed; the last keys remain'));
  expect(schools.faults.map(({ cause }) => String(cause))[2]).toContain('not a promise');
  broken = undefined;
  setClockAhead(44);
  expect(await publishedKids(schools.harbour)).toEqual(['first']);
  expect(schools.faults).toHaveLength(3);
  await schools.close();
});

test('a function that fails at startup is a TypeError, as wrong keys are', async () => {
  const broken = startSchools({ campus: { keys: () => keysOf() } });
  await expect(broken).rejects.toThrow('keys().signing must have a key');
});

test('discovery says that ID tokens are signed as soon as a key signs', async () => {
  let now: CampusKeys = { signing: [], published: [first], cookies };
  const schools = await startSchools({ campus: { keys: () => now } });
  const algorithms = async (): Promise<unknown> => {
    const response = await fetch(`${schools.harbour}/.well-known/openid-configuration`);
    return JSON.parse(await response.text())['id_token_signing_alg_values_supported'];
  };
  expect([await algorithms(), await signingKid(schools)]).toEqual([undefined, undefined]);
  now = keysOf(first);
  setClockAhead(11);
  expect([await algorithms(), await signingKid(schools)]).toEqual([['ES256'], 'first']);
  await schools.close();
});

test('siteKeys: a school signs with its own key, the others with that of all', async () => {
  const siteKeys = ({ id }: { readonly id: string }) => (id === 'harbour' ? { signing: [second] } : undefined);
  const schools = await startSchools({ campus: { keys: keysOf(first), siteKeys } });
  expect(await publishedKids(schools.harbour)).toEqual(['second']);
  expect(await publishedKids(schools.summit)).toEqual(['first']);
  expect(await signingKid(schools)).toBe('second');
  await schools.close();
});

test('siteKeys that never worked are 503 at that school, and a fault', async () => {
  const siteKeys = ({ id }: { readonly id: string }) => {
    if (id === 'harbour') throw new Error('the vault is closed');
    return null;
  };
  const schools = await startSchools({ campus: { keys: keysOf(first), siteKeys } });
  expect((await fetch(`${schools.harbour}/.well-known/jwks.json`)).status).toBe(503);
  expect(await publishedKids(schools.summit)).toEqual(['first']);
  expect(schools.faults[0]?.message).toBe('siteKeys({ id: "harbour" }) failed');
  await schools.close();
});
