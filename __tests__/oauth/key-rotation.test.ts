import { afterEach, describe, expect, test } from '@jest/globals';
import type { CampusKeys, Jwk, SchoolPlatform } from '../../lib/index.ts';
import { createKeyRing } from '../../lib/core/keys/key-ring.ts';
import type { Browser } from '../helpers/browser.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import {
  authorizeUrl,
  type Changes,
  connect,
  exchange,
  getCode,
  type JsonResponse,
  memberApp,
  pkce,
  refresh,
  webMemberApp,
} from '../helpers/flow.ts';
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
  return kidOf((await connect(browser('sam'), harbour, memberApp)).body);
}

/** The key that signed the ID token of a response. */
function kidOf({ id_token: token }: JsonResponse['body']): unknown {
  if (typeof token !== 'string') return undefined;
  const [header = ''] = token.split('.');
  return JSON.parse(Buffer.from(header, 'base64url').toString())['kid'];
}

/** The session cookie, without its signature. */
function sessionOf(browser: Browser): (string | undefined)[] {
  return browser.cookies().flatMap(({ name, value }) => (name.endsWith('campus_session') ? [value] : []));
}

/** A platform whose `findMember` waits while the gate is closed. */
function gatedPlatform() {
  let open = (): void => undefined;
  let arrived = (): void => undefined;
  let gate: Promise<void> | undefined;
  return {
    wrapPlatform: (platform: SchoolPlatform): SchoolPlatform => ({
      ...platform,
      findMember: async (...args) => {
        arrived();
        await gate;
        return platform.findMember(...args);
      },
    }),
    /** Resolves when a request waits at the gate. */
    close(): Promise<void> {
      gate = new Promise((done) => {
        open = done;
      });
      return new Promise((done) => {
        arrived = done;
      });
    },
    open(): void {
      gate = undefined;
      open();
    },
  };
}

const rotated: CampusKeys = { signing: [second], published: [first], cookies: ['another secret of tests', ...cookies] };

test('keys may be a function: it is asked at most every ten seconds, and a rotation needs no restart', async () => {
  let now = keysOf(first);
  let asked = 0;
  const keys = (): CampusKeys => {
    asked += 1;
    return now;
  };
  const schools = await startSchools({ campus: { keys } });
  expect(await signingKid(schools)).toBe('first');
  now = rotated;
  expect(await publishedKids(schools.harbour)).toEqual(['first']);
  expect(asked).toBe(1);
  setClockAhead(11);
  expect(await publishedKids(schools.harbour)).toEqual(['second', 'first']);
  expect(await signingKid(schools)).toBe('second');
  expect(asked).toBe(2);
  await schools.close();
});

test('whatever began before a rotation goes on: sign-in, consent, session, code, refresh token, replay, ID token as a hint', async () => {
  let now = keysOf(first);
  const schools = await startSchools({ campus: { keys: () => now } });
  const { harbour } = schools;
  const [sam, other] = [schools.browser('sam'), schools.browser('sam')];
  const connected = await connect(sam, harbour, webMemberApp);
  const code = await getCode(other, harbour, memberApp, { prompt: 'consent' });
  const pair = pkce();
  const atConsent = await other.follow(authorizeUrl(harbour, memberApp, pair, { prompt: 'consent' }));
  const refreshed = await refresh(harbour, webMemberApp, connected.body['refresh_token']);
  const session = sessionOf(sam);

  now = rotated;
  setClockAhead(11);
  expect(await publishedKids(harbour)).toEqual(['second', 'first']);

  const again = await refresh(harbour, webMemberApp, connected.body['refresh_token']);
  expect([again.status, again.body]).toEqual([200, refreshed.body]);
  expect((await refresh(harbour, webMemberApp, refreshed.body['refresh_token'])).status).toBe(200);
  const exchanged = await exchange(code);
  expect([exchanged.status, kidOf(exchanged.body)]).toEqual([200, 'second']);
  const { url } = await other.decide(atConsent, 'allow');
  const decided = { ...code, code: url.searchParams.get('code') ?? '', verifier: pair.verifier };
  expect((await exchange(decided)).status).toBe(200);
  const hint = { prompt: 'none', id_token_hint: String(connected.body['id_token']) };
  const silent = await sam.follow(authorizeUrl(harbour, webMemberApp, pkce(), hint));
  expect(silent.url.searchParams.get('error')).toBeNull();
  expect(silent.url.searchParams.has('code')).toBe(true);
  expect(session).toHaveLength(1);
  expect(sessionOf(sam)).toEqual(session);
  expect(schools.faults).toEqual([]);
  await schools.close();
});

describe('an ID token as a hint, signed with a key that is gone', () => {
  /** Sam has connected, and the key is gone; the request of his next sign-in, with his first ID token. */
  async function lost(left: CampusKeys = keysOf(second)) {
    let now = keysOf(first);
    const schools = await startSchools({ campus: { keys: () => now } });
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const hint = String(body['id_token']);
    now = left;
    setClockAhead(11);
    const request = (changes: Changes = {}): URL =>
      authorizeUrl(schools.harbour, webMemberApp, pkce(), { id_token_hint: hint, ...changes });
    return { schools, hint, request };
  }

  test.each<[string, CampusKeys]>([
    ['it was taken out', keysOf(second)],
    ['only its public part is left', { ...keysOf(second), published: [{ ...first, d: undefined }] }],
  ])('%s: the person is asked, and gets a code', async (_why, left) => {
    const { schools, request } = await lost(left);
    const sam = schools.browser('sam');
    const asked = await sam.follow(request());
    expect(asked.url.pathname).toMatch(/^\/oauth\/interaction\//);
    expect(asked.html).toContain('Sam');
    const decided = await sam.decide(asked, 'allow');
    expect(decided.url.searchParams.has('code')).toBe(true);
    await schools.close();
  });

  test('who is signed in may be somebody else, who is asked as well, and with prompt=none nobody gets a code', async () => {
    const { schools, request } = await lost();
    await connect(schools.browser('olivia'), schools.harbour, webMemberApp);
    for (const person of ['sam', 'olivia']) {
      const browser = schools.browser(person);
      expect((await browser.follow(request())).url.pathname).toMatch(/^\/oauth\/interaction\//);
      const { url } = await browser.follow(request({ prompt: 'none' }));
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        error: 'login_required',
        error_description: expect.stringContaining('a current key of this school'),
      });
    }
    await schools.close();
  });

  test('it stays an error with a changed signature under a known key, at another school, and for another client', async () => {
    const { schools, hint, request } = await lost({ ...keysOf(second), published: [{ ...first, d: undefined }] });
    const [head = '', body = ''] = hint.split('.');
    const changed = `${head}.${body}.${'A'.repeat(86)}`;
    const elsewhere = authorizeUrl(schools.summit, webMemberApp, pkce(), { id_token_hint: hint });
    const another = authorizeUrl(schools.harbour, memberApp, pkce(), { id_token_hint: hint });
    for (const url of [request({ id_token_hint: changed }), elsewhere, another]) {
      const stop = await schools.browser('sam').follow(url);
      expect(stop.url.searchParams.get('error')).toBe('invalid_request');
    }
    await schools.close();
  });

  test('of another school with its own key is an error, though its key is not known here', async () => {
    const siteKeys = ({ id }: { readonly id: string }) => (id === 'summit' ? { signing: [second] } : undefined);
    const schools = await startSchools({ campus: { keys: keysOf(first), siteKeys } });
    const { body } = await connect(schools.browser('sam'), schools.summit, webMemberApp);
    const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { id_token_hint: String(body['id_token']) });
    expect((await schools.browser('sam').follow(url)).url.searchParams.get('error')).toBe('invalid_request');
    await schools.close();
  });
});

test('a request that is under way when the keys change ends with the keys that it began with', async () => {
  let now = keysOf(first);
  const platform = gatedPlatform();
  const schools = await startSchools({ campus: { keys: () => now }, wrapPlatform: platform.wrapPlatform });
  const code = await getCode(schools.browser('sam'), schools.harbour, memberApp);
  const waiting = platform.close();
  const underWay = exchange(code);
  await waiting;
  now = rotated;
  setClockAhead(11);
  expect(await publishedKids(schools.harbour)).toEqual(['second', 'first']);
  // A request with the new engine; it needs no member.
  expect((await refresh(schools.harbour, memberApp, 'unknown')).status).toBe(400);
  platform.open();
  const { status, body } = await underWay;
  expect([status, kidOf(body)]).toEqual([200, 'first']);
  expect(await signingKid(schools)).toBe('second');
  await schools.close();
});

test('a cookie secret that was removed ends what it signed', async () => {
  let now = keysOf(first);
  const schools = await startSchools({ campus: { keys: () => now } });
  const sam = schools.browser('sam');
  const atConsent = await sam.follow(authorizeUrl(schools.harbour, memberApp, pkce()));
  now = { ...rotated, cookies: ['another secret of tests'] };
  setClockAhead(11);
  const { response, url } = await sam.decide(atConsent, 'allow');
  expect([response.status, url.searchParams.has('code')]).toEqual([400, false]);
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
  const { body } = await connect(schools.browser('sam'), schools.summit, webMemberApp);
  expect(kidOf(body)).toBe('first');
  await schools.close();
});

test('siteKeys: sites with the same keys share an engine, at most as many as there is room for are kept, and each follows a rotation', () => {
  let now = keysOf(first);
  const asked: string[] = [];
  const ring = createKeyRing(
    {
      keys: () => now,
      siteKeys: ({ id }) => {
        asked.push(id);
        return id === 'plain' ? undefined : { signing: [second] };
      },
      engines: 2,
    },
    () => undefined,
  );
  const of = (id: string): CampusKeys => ring.of({ id, origin: `https://${id}.example` });
  expect(of('plain')).toBe(ring.shared());
  const own = of('one');
  expect([of('two'), of('two'), of('one')]).toEqual([own, own, own]);
  expect(of('two')).toBe(own);
  expect(asked).toEqual(['plain', 'one', 'two']);
  of('plain');
  expect(asked).toEqual(['plain', 'one', 'two', 'plain']);
  now = rotated;
  setClockAhead(11);
  expect(of('two')).not.toBe(own);
  expect(of('two')).toMatchObject({ signing: [{ kid: 'second' }], cookies: rotated.cookies });
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
