import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import Koa from 'koa';
import type { AuditEvent, CampusOptions, SchoolPlatform, Service, Site } from '../../../lib/index.ts';
import {
  keysProblem,
  namedKey,
  type PublicJwk,
  usableKeys,
  usableProblem,
} from '../../../lib/core/keys/public-keys.ts';
import { type AssertionChanges, assertion, type ClientKey, clientKey, keyFields } from '../../helpers/client-keys.ts';
import { passTime, resetClock } from '../../helpers/clock.ts';
import { type JsonResponse, postForm } from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { withServices } from '../../helpers/services.ts';
import { breakableStore, countedStore } from '../../helpers/stores.ts';

let first: ClientKey;
let second: ClientKey;
let stranger: ClientKey;
beforeAll(async () => {
  [first, second, stranger] = await Promise.all([
    clientKey('ES256', 'one'),
    clientKey('ES256', 'two'),
    clientKey('ES256', 'two'),
  ]);
});

const verifySignature = crypto.subtle.verify.bind(crypto.subtle);

/** Called for every signature that is verified. Resetting the clock restores it. */
const spyOnVerify = () => jest.spyOn(crypto.subtle, 'verify');
let verify: ReturnType<typeof spyOnVerify>;
beforeEach(() => {
  verify = spyOnVerify();
});

let schools: Schools;
let events: AuditEvent[];
const requests = { received: 0 };
afterEach(async () => {
  resetClock();
  await schools?.close();
});

const service = { clientName: 'Keyed', audience: 'service', redirectUris: [], scopes: ['courses:read'] } as const;

async function start(
  more: Pick<CampusOptions, 'limits' | 'store'> | object = {},
  platform: Partial<SchoolPlatform> = {},
): Promise<void> {
  events = [];
  requests.received = 0;
  schools = await startSchools({
    campus: {
      ...withServices,
      clientAuthentication: ['private_key_jwt'],
      clients: [
        { ...service, clientId: 'keyed', publicKeys: { keys: [first.publicJwk, second.publicJwk] } },
        { ...service, clientId: 'other', publicKeys: { keys: [first.publicJwk] } },
      ],
      ...more,
    },
    platform,
    app: (campus) => {
      const count: Koa.Middleware = (_ctx, next) => {
        requests.received += 1;
        return next();
      };
      return new Koa({ proxy: true }).use(count).use(campus.middleware());
    },
  });
  schools.campus.events.on('audit', (event) => events.push(event));
}

interface Sent {
  readonly path?: string;
  readonly client?: string;
  readonly key?: ClientKey;
  readonly from?: string;
  readonly changes?: AssertionChanges;
}

async function send({
  path = 'token',
  client = 'keyed',
  key = second,
  from = '192.0.2.1',
  changes,
}: Sent = {}): Promise<JsonResponse> {
  const fields = await keyFields(client, schools.harbour, key, changes);
  const form = { grant_type: 'client_credentials', token: 'x', ...fields };
  return postForm(`${schools.harbour}/api/oauth/${path}`, form, { 'x-forwarded-for': from });
}

/** A key that costs a hundred times as much as others: its public exponent is as long as its modulus. */
function slowKey(kid: string, bits = 3072): PublicJwk {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const exponent = randomBytes(bits / 8);
  exponent[0] = 0x7f;
  exponent[exponent.length - 1] = 1;
  return { kty: 'RSA', ...publicKey.export({ format: 'jwk' }), e: exponent.toString('base64url'), kid };
}

describe('keys that cost too much', () => {
  test.each<[what: string, key: () => PublicJwk, problem: RegExp]>([
    ['an exponent of 3071 bits', () => slowKey('a'), /^keys\[0\] has a public exponent of 3071 bits, not at most 32/],
    ['an exponent of 39 bits', () => slowKey('a', 40), /^keys\[0\] has a public exponent of 39 bits/],
    [
      'a modulus of 8192 bits',
      () => ({ kty: 'RSA', n: Buffer.alloc(1024, 0xff).toString('base64url'), e: 'AQAB' }),
      /^keys\[0\] has 8192 bits, not 2048 to 4096/,
    ],
  ])('%s', (_what, key, problem) => {
    const set = { keys: [key()] };
    expect(keysProblem(set)).toMatch(problem);
    expect(usableKeys(set)).toEqual([]);
  });

  test('a modulus of 4096 bits and the exponent 65537 do not', () => {
    const key = { kty: 'RSA', n: Buffer.alloc(512, 0xff).toString('base64url'), e: 'AQAB' };
    expect(keysProblem({ keys: [key] })).toBeUndefined();
  });

  test('more than ten of a published set', () => {
    const ofLength = (length: number) => usableKeys({ keys: Array.from({ length }, () => first.publicJwk) });
    expect([usableProblem(ofLength(10)), usableProblem(ofLength(11))]).toEqual([
      undefined,
      'has 11 keys for signatures, and may have 10',
    ]);
  });
});

describe('before anything is verified', () => {
  test('the kid must be that of one key', () => {
    const [one, two] = [first.publicJwk, second.publicJwk];
    expect(namedKey([one, two], 'two')).toBe(two);
    expect(namedKey([one], undefined)).toBe(one);
    for (const kid of [undefined, 'three']) expect(namedKey([one, two], kid)).toBeUndefined();
    expect(namedKey([one, two, stranger.publicJwk], 'two')).toBeUndefined();
  });

  test.each<[what: string, sent: () => Sent, status: number, verified: number]>([
    ['the kid of one of several keys', () => ({}), 200, 1],
    ['that kid, signed with another key', () => ({ key: stranger }), 401, 1],
    ['no kid', () => ({ changes: { header: { kid: undefined } } }), 401, 0],
    ['an unknown kid', () => ({ changes: { header: { kid: 'three' } } }), 401, 0],
    [
      'no kid, of a client with one key',
      () => ({ client: 'other', key: first, changes: { header: { kid: undefined } } }),
      200,
      1,
    ],
  ])('%s', async (_what, sent, status, verified) => {
    await start();
    expect((await send(sent())).status).toBe(status);
    expect(verify).toHaveBeenCalledTimes(verified);
  });
});

describe('assertions at a time', () => {
  /** The school that the signed part of an assertion is for. */
  function audienceOf(signed: Parameters<typeof crypto.subtle.verify>[3]): unknown {
    const [, claims = ''] = new TextDecoder().decode(signed).split('.');
    return JSON.parse(Buffer.from(claims, 'base64url').toString()).aud;
  }

  /** Holds up what is verified until the test lets it go. */
  function hold(): () => void {
    let release = (): void => {};
    const released = new Promise<void>((done) => (release = done));
    verify.mockImplementation(async (...args) => {
      await released;
      return verifySignature(...args);
    });
    return release;
  }

  /** Until so many requests are here, and as many are verified as can be. */
  async function received(count: number): Promise<void> {
    while (requests.received < count || verify.mock.calls.length < 8) await setImmediate();
  }

  test('eight are verified, the others wait for their turn, and other requests do not', async () => {
    await start({ limits: false });
    const release = hold();
    const sent = Array.from({ length: 20 }, (_, i) => send({ key: i % 2 === 0 ? second : stranger }));
    await received(20);
    expect((await fetch(`${schools.summit}/.well-known/openid-configuration`)).status).toBe(200);
    expect(verify).toHaveBeenCalledTimes(8);
    release();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 200 : 401)));
    expect(verify).toHaveBeenCalledTimes(20);
  });

  test('one at another school is next but one, however many wait before it', async () => {
    await start({ limits: false });
    const release = hold();
    const flood = Array.from({ length: 20 }, () => send());
    await received(20);
    const form = { grant_type: 'client_credentials', ...(await keyFields('keyed', schools.summit, second)) };
    const elsewhere = postForm(`${schools.summit}/api/oauth/token`, form);
    await received(21);
    release();
    expect((await elsewhere).status).toBe(200);
    await Promise.all(flood);
    const schoolsInOrder = verify.mock.calls.map(([, , , signed]) => audienceOf(signed));
    expect(schoolsInOrder.indexOf(schools.summit)).toBe(9);
  });

  test('what waits for the platform after its verification holds no turn', async () => {
    const asked: string[] = [];
    let release = (): void => {};
    const released = new Promise<void>((done) => (release = done));
    const findService = async (_site: Site, clientId: string): Promise<Service> => {
      if (clientId === 'keyed') {
        asked.push(clientId);
        await released;
      }
      return { roles: [] };
    };
    await start({ limits: false }, { findService });
    const sent = Array.from({ length: 8 }, () => send());
    while (asked.length < 8) await setImmediate();
    expect((await send({ client: 'other', key: first })).status).toBe(200);
    release();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test('those of one address that waited while others failed are not verified', async () => {
    await start({ limits: { assertions: { perClient: 1000, failedPerAddress: 3, failedPerClient: 1000 } } });
    const release = hold();
    const sent = Array.from({ length: 40 }, () => send({ key: stranger }));
    await received(40);
    release();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    // Eight were under way, and each that failed before the third made room for one.
    expect(verify.mock.calls.length).toBeLessThanOrEqual(10);
  });

  test('a request that fails at the store gives its turn back', async () => {
    const broken = breakableStore();
    await start({ limits: false, store: broken.store });
    broken.break('save');
    for (let i = 0; i < 9; i++) expect((await send()).status).toBe(503);
    broken.break();
    expect((await send()).status).toBe(200);
  });
});

describe('limits.assertions', () => {
  const limits = { assertions: { perClient: 1000, failedPerAddress: 3, failedPerClient: 1000 } };

  test('failedPerAddress: assertions of that address are no longer verified, at any endpoint or school, for an hour', async () => {
    await start({ limits });
    for (let i = 0; i < 3; i++) expectError(await send({ key: stranger }), 401, 'invalid_client');
    verify.mockClear();
    for (const path of ['token', 'introspect', 'revoke']) {
      const refused = await send({ path });
      expectError(refused, 429, 'slow_down');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    }
    const atSummit = await keyFields('keyed', schools.summit, second);
    const form = { grant_type: 'client_credentials', ...atSummit };
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    expectError(await postForm(`${schools.summit}/api/oauth/token`, form, headers), 429, 'slow_down');
    expect(verify).not.toHaveBeenCalled();
    const exceeded = events.filter(({ action, reason }) => action === 'quota.exceeded' && reason === 'assertions');
    expect(exceeded.map(({ siteId, address }) => [siteId, address])).toEqual([
      ...Array.from({ length: 3 }, () => ['harbour', '192.0.2.1']),
      ['summit', '192.0.2.1'],
    ]);
    expect((await send({ from: '198.51.100.1' })).status).toBe(200);
    passTime(3600);
    expect((await send()).status).toBe(200);
  });

  test('failedPerClient: addresses that have failed are refused, and nobody can lock the client out', async () => {
    await start({ limits: { assertions: { ...limits.assertions, failedPerClient: 2 } } });
    for (const from of ['192.0.2.1', '198.51.100.1']) {
      expectError(await send({ from, key: stranger }), 401, 'invalid_client');
    }
    for (const from of ['192.0.2.1', '198.51.100.1']) expectError(await send({ from }), 429, 'slow_down');
    expect((await send({ from: '203.0.113.1' })).status).toBe(200);
    expect((await send({ client: 'other', key: first })).status).toBe(200);
  });

  test.each(['introspect', 'revoke'])('perClient: at %s no more than so many are stored', async (path) => {
    const { store, calls } = countedStore();
    await start({ store, limits: { assertions: { ...limits.assertions, perClient: 2 } } });
    for (let i = 0; i < 2; i++) expect((await send({ path })).status).toBe(200);
    calls.splice(0);
    expectError(await send({ path }), 429, 'slow_down');
    expect(calls.filter((call) => call.startsWith('save'))).toEqual([]);
    expect(events).toContainEqual(
      expect.objectContaining({ action: 'quota.exceeded', clientId: 'keyed', reason: 'assertions' }),
    );
    expect((await send({ path, client: 'other', key: first })).status).toBe(200);
  });

  test('limits: false lifts them', async () => {
    await start({ limits: false });
    for (let i = 0; i < 5; i++) expectError(await send({ key: stranger }), 401, 'invalid_client');
    expect((await send()).status).toBe(200);
  });
});

test.each<[what: string, changes: AssertionChanges]>([
  ['sub', { claims: { sub: '\ud800' } }],
  ['iss', { claims: { iss: '\udfff' } }],
  ['jti', { claims: { jti: 'a\ud800b' } }],
  ['a claim that nothing reads', { claims: { deep: [{ '\ud800': 1 }] } }],
  ['kid', { header: { kid: '\ud800' } }],
])('an assertion with half of a surrogate pair in %s is refused, not a fault', async (_what, changes) => {
  const { store, calls } = countedStore();
  await start({ store });
  const faults: string[] = [];
  schools.campus.events.on('fault', ({ message }) => faults.push(message));
  calls.splice(0);
  for (const path of ['token', 'introspect', 'revoke']) {
    const fields = { client_assertion: await assertion('keyed', schools.harbour, second, changes) };
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    const form = { grant_type: 'client_credentials', token: 'x', client_assertion_type: type, ...fields };
    expectError(await postForm(`${schools.harbour}/api/oauth/${path}`, form), 401, 'invalid_client');
  }
  expect([faults, calls]).toEqual([[], []]);
});
