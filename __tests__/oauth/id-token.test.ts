import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { CampusKeys, Jwk } from '../../lib/index.ts';
import { redirectQuery } from '../helpers/responses.ts';
import {
  authorizeUrl,
  connect,
  type JsonResponse,
  memberApp,
  pkce,
  refresh,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let started: Schools[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const each of started) await each.close();
  started = [];
});

async function start(keys?: Omit<CampusKeys, 'cookies'>): Promise<Schools> {
  const campus = keys === undefined ? {} : { keys: { ...keys, cookies: ['a secret of the tests'] } };
  const schools = await startSchools({ campus });
  started.push(schools);
  return schools;
}

async function document(schools: Schools, name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await (await fetch(`${schools.harbour}/.well-known/${name}`)).text());
}

async function keySet(schools: Schools): Promise<JSONWebKeySet> {
  return JSON.parse(await (await fetch(`${schools.harbour}/.well-known/jwks.json`)).text());
}

const idToken = ({ body }: JsonResponse): string => String(body['id_token']);
const publicPart = ({ d: _private, ...key }: Jwk): Jwk => key;

describe('an ID token', () => {
  test('says who, for whom, by whom and until when, and verifies against the published keys', async () => {
    const schools = await start();
    const before = Math.floor(Date.now() / 1000);
    const response = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const after = Date.now() / 1000;
    const { payload, protectedHeader } = await jwtVerify(idToken(response), createLocalJWKSet(await keySet(schools)), {
      issuer: schools.harbour,
      audience: webMemberApp.id,
      algorithms: ['ES256'],
    });
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: 'key-1' });
    expect(payload).toMatchObject({ sub: 'sam', org_id: 'harbour', roles: ['student'], nonce: 'the-nonce' });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(600);
    expect(payload.iat).toBeGreaterThanOrEqual(before);
    expect(payload.iat).toBeLessThanOrEqual(after);
  });

  test.each([undefined, ''])('has no nonce when %j was sent', async (nonce) => {
    const schools = await start();
    const response = await connect(schools.browser('sam'), schools.harbour, webMemberApp, { nonce });
    expect(decodeJwt(idToken(response))).not.toHaveProperty('nonce');
  });

  test('echoes a nonce of any characters', async () => {
    const schools = await start();
    const nonce = 'a b+c&d=%20"<>é漢😀';
    const response = await connect(schools.browser('sam'), schools.harbour, memberApp, { nonce });
    expect(decodeJwt(idToken(response))['nonce']).toBe(nonce);
  });

  test('is not there without openid', async () => {
    const schools = await start();
    const changes = { scope: 'profile email account:read', nonce: undefined };
    const response = await connect(schools.browser('sam'), schools.harbour, webMemberApp, changes);
    expect(response).toMatchObject({ status: 200, body: { scope: 'profile email account:read' } });
    expect(response.body).not.toHaveProperty('id_token');
  });

  test('takes no wish for claims from the request', async () => {
    const schools = await start();
    const claims = JSON.stringify({ id_token: { email: { essential: true }, sub: { value: 'olivia' } } });
    const response = await connect(schools.browser('sam'), schools.harbour, webMemberApp, { scope: 'openid', claims });
    expect(decodeJwt(idToken(response))).not.toHaveProperty('email');
    expect(decodeJwt(idToken(response)).sub).toBe('sam');
  });

  test('is signed once at the exchange, and neither signed nor sent at a refresh', async () => {
    const schools = await start();
    const sign = jest.spyOn(SubtleCrypto.prototype, 'sign');
    const response = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    expect(sign.mock.calls.map(([algorithm]) => algorithm)).toEqual([expect.objectContaining({ name: 'ECDSA' })]);
    sign.mockClear();
    const refreshed = await refresh(schools.harbour, webMemberApp, response.body['refresh_token'], { scope: 'openid' });
    expect(refreshed).toMatchObject({ status: 200, body: { scope: 'openid' } });
    expect(refreshed.body).not.toHaveProperty('id_token');
    expect(sign).not.toHaveBeenCalled();
  });
});

describe('while keys are published and none signs', () => {
  test('discovery leaves the algorithms out and has jwks_uri; the keys are there, public parts only', async () => {
    const schools = await start({ signing: [], published: [await signingKey('next')] });
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      const metadata = await document(schools, name);
      expect(metadata).not.toHaveProperty('id_token_signing_alg_values_supported');
      expect(metadata['jwks_uri']).toBe(`${schools.harbour}/.well-known/jwks.json`);
    }
    const { keys } = await keySet(schools);
    expect(keys.map(({ kid }) => kid)).toEqual(['next']);
    expect(keys[0]).not.toHaveProperty('d');
  });

  test('the exchange gives no ID token and signs nothing, and UserInfo works', async () => {
    const schools = await start({ signing: [], published: [publicPart(await signingKey('next'))] });
    const sign = jest.spyOn(SubtleCrypto.prototype, 'sign');
    const { status, body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    expect([status, body['scope']]).toEqual([200, webMemberApp.scope]);
    expect(body).not.toHaveProperty('id_token');
    expect(sign).not.toHaveBeenCalled();
    expect((await userinfo(schools.harbour, body['access_token'])).body).toMatchObject({
      sub: 'sam',
      org_id: 'harbour',
    });
    expect(schools.faults).toEqual([]);
  });
});

describe('rotation', () => {
  test('the new key signs, the old one stays published, and old tokens still verify', async () => {
    const [old, next] = [await signingKey('old'), await signingKey('next')];
    const before = await start({ signing: [old], published: [next] });
    const first = idToken(await connect(before.browser('sam'), before.harbour, webMemberApp));
    expect(decodeProtectedHeader(first).kid).toBe('old');

    const after = await start({ signing: [next], published: [publicPart(old)] });
    const second = idToken(await connect(after.browser('sam'), after.harbour, webMemberApp));
    expect(decodeProtectedHeader(second).kid).toBe('next');
    const keys = await keySet(after);
    expect(keys.keys.map(({ kid }) => kid)).toEqual(['next', 'old']);
    for (const token of [first, second]) {
      expect((await jwtVerify(token, createLocalJWKSet(keys))).payload.sub).toBe('sam');
    }
    // A client that has cached the keys from before the rotation can verify what is signed after it.
    expect((await jwtVerify(second, createLocalJWKSet(await keySet(before)))).payload.sub).toBe('sam');
  });

  test('a published old key with a private part verifies an id_token_hint; an unpublished key does not', async () => {
    const old = await signingKey('old');
    const schools = await start({ signing: [await signingKey('next')], published: [old] });
    const browser = schools.browser('sam');
    await connect(browser, schools.harbour, webMemberApp);
    for (const [key, parameter] of [
      [old, 'code'],
      [await signingKey('old'), 'error'],
    ] as const) {
      const hint = await new SignJWT({ sub: 'sam' })
        .setProtectedHeader({ alg: 'ES256', kid: 'old' })
        .setIssuer(schools.harbour)
        .setAudience(webMemberApp.id)
        .setIssuedAt()
        .setExpirationTime('10m')
        .sign(await importJWK({ kty: 'EC', crv: 'P-256', x: key.x ?? '', y: key.y ?? '', d: key.d ?? '' }, 'ES256'));
      const silently = { prompt: 'none', id_token_hint: hint };
      const response = await browser.fetch(authorizeUrl(schools.harbour, webMemberApp, pkce(), silently));
      expect(redirectQuery(response, webMemberApp.redirectUri)[parameter]).toBeTruthy();
    }
  });

  test('of two signing keys the first one signs', async () => {
    const schools = await start({ signing: [await signingKey('first'), await signingKey('second')] });
    const token = idToken(await connect(schools.browser('sam'), schools.harbour, webMemberApp));
    expect(decodeProtectedHeader(token).kid).toBe('first');
    expect((await keySet(schools)).keys.map(({ kid }) => kid)).toEqual(['first', 'second']);
  });

  test('the key set has the public parts only, whichever keys were handed in', async () => {
    const schools = await start({ signing: [await signingKey('a')], published: [await signingKey('b')] });
    for (const key of (await keySet(schools)).keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    }
  });
});
