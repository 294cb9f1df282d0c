import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { AuditEvent, Site, StaticClient } from '../../../lib/index.ts';
import { issueTokens } from '../../../lib/testing/index.ts';
import {
  type AssertionChanges,
  type ClientKey,
  clientKey,
  keyFields,
  now,
  serviceTokenWith,
} from '../../helpers/client-keys.ts';
import {
  authorize,
  authorizeUrl,
  type Changes,
  exchange,
  getCode,
  type JsonResponse,
  pkce,
  postForm,
  refresh,
  reports,
} from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../../helpers/schools.ts';
import { serviceToken, sync, syncApp, withServices } from '../../helpers/services.ts';
import { breakableStore, countedStore } from '../../helpers/stores.ts';

let keys: Readonly<Record<'EdDSA' | 'ES256' | 'PS256' | 'RS256' | 'other' | 'es384', ClientKey>>;
beforeAll(async () => {
  const [EdDSA, ES256, PS256, RS256, other, es384] = await Promise.all([
    clientKey('EdDSA', 'ed'),
    clientKey('ES256', 'ec'),
    clientKey('PS256', 'ps'),
    clientKey('RS256', 'rs'),
    clientKey('ES256', 'ec'),
    clientKey('ES384', 'ec'),
  ]);
  keys = { EdDSA, ES256, PS256, RS256, other, es384 };
});

/** jose makes no key so short. */
function short(): ClientKey {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  return { ...keys.RS256, publicJwk: { kty: '', ...publicKey.export({ format: 'jwk' }), kid: 'short' } };
}

let schools: Schools;
let events: AuditEvent[];
afterEach(() => schools.close());

const robot = { id: 'robot', redirectUri: 'https://robot.example/callback', scope: 'openid profile courses:read' };

function clients(): StaticClient[] {
  const { EdDSA, ES256, PS256, RS256, other } = keys;
  const service = { clientName: 'Keyed', audience: 'service', redirectUris: [], scopes: ['courses:read'] } as const;
  return [
    ...withServices.clients,
    {
      ...service,
      clientId: 'keyed',
      publicKeys: { keys: [EdDSA, ES256, PS256, RS256].map(({ publicJwk }) => publicJwk) },
    },
    { ...service, clientId: 'another', publicKeys: { keys: [other.publicJwk] } },
    { ...service, clientId: 'older', publicKeys: { keys: [other.publicJwk] }, assertionAudience: 'token_endpoint' },
    {
      clientId: robot.id,
      clientName: 'Robot',
      audience: 'operator',
      redirectUris: [robot.redirectUri],
      scopes: ['openid', 'profile', 'courses:read'],
      publicKeys: { keys: [ES256.publicJwk] },
    },
  ];
}

async function start(campus: SchoolsOptions['campus'] = {}): Promise<void> {
  events = [];
  const options = { ...withServices, clients: clients(), clientAuthentication: ['private_key_jwt'] } as const;
  schools = await startSchools({ campus: { ...options, ...campus } });
  schools.campus.events.on('audit', (event) => events.push(event));
}

const siteAt = (): Site => ({
  id: 'harbour',
  origin: schools.harbour,
  name: 'Harbour School',
  connectionsEnabled: true,
});

const fields = (changes?: AssertionChanges, key = keys.ES256, client = 'keyed'): Promise<Changes> =>
  keyFields(client, schools.harbour, key, changes);

const ask = async (changes?: AssertionChanges, key?: ClientKey, client?: string): Promise<JsonResponse> =>
  serviceTokenWith(schools.harbour, await fields(changes, key, client));

describe('private_key_jwt', () => {
  test.each(['EdDSA', 'ES256', 'PS256', 'RS256'] as const)('authenticates with %s', async (alg) => {
    await start();
    const { status, body } = await ask({}, keys[alg]);
    expect([status, body['scope']]).toEqual([200, 'courses:read']);
    expect(events).toMatchObject([{ action: 'token.issued', actor: { kind: 'client', id: 'keyed' } }]);
  });

  test.each<[what: string, changes: () => AssertionChanges]>([
    ['one audience in an array', () => ({ claims: { aud: [schools.harbour] } })],
    ['an hour to live', () => ({ claims: { exp: now() + 3600 } })],
    ['the type of RFC 7523bis', () => ({ header: { typ: 'client-authentication+jwt' } })],
  ])('takes %s', async (_what, changes) => {
    await start();
    expect((await ask(changes())).status).toBe(200);
  });

  test('takes an assertion without kid where there is one key', async () => {
    await start();
    expect((await ask({ header: { kid: undefined } }, keys.other, 'another')).status).toBe(200);
    const response = await ask({ header: { kid: undefined } });
    expectError(response, 401, 'invalid_client');
    expect(response.body['error_description']).toContain('send its unique kid');
  });
});

const tokenEndpoint = (): string => `${schools.harbour}/api/oauth/token`;

describe('assertionAudience', () => {
  const addressed = (aud: unknown, client: string): Promise<JsonResponse> =>
    ask({ claims: { aud } }, keys.other, client);

  async function expectBoth(client: string): Promise<void> {
    for (const aud of [schools.harbour, tokenEndpoint(), [tokenEndpoint()]])
      expect([aud, (await addressed(aud, client)).status]).toEqual([aud, 200]);
    const introspection = `${schools.harbour}/api/oauth/introspect`;
    const both = [schools.harbour, tokenEndpoint()];
    for (const aud of [both, introspection, `${schools.summit}/api/oauth/token`, `${tokenEndpoint()}/`]) {
      const response = await addressed(aud, client);
      expectError(response, 401, 'invalid_client');
      expect(response.body['error_description']).toContain(`must be ${schools.harbour}, the issuer`);
    }
  }

  test('a client in code that says it sends the token endpoint may', async () => {
    await start();
    await expectBoth('older');
  });

  test('so may an application, once its API says so, and not before', async () => {
    await start();
    const { applications } = schools.campus;
    const publicKeys = { keys: [keys.other.publicJwk] };
    const service = { audience: 'service', clientName: 'Library', scopes: ['courses:read'], publicKeys } as const;
    const { application } = await applications.create(siteAt(), service);
    const { clientId } = application;
    expectError(await addressed(tokenEndpoint(), clientId), 401, 'invalid_client');
    await applications.update(siteAt(), clientId, { assertionAudience: 'token_endpoint' });
    await expectBoth(clientId);
    expect(await applications.find(siteAt(), clientId)).toMatchObject({ assertionAudience: 'token_endpoint' });
    await applications.update(siteAt(), clientId, { clientName: 'City library' });
    expect((await addressed(tokenEndpoint(), clientId)).status).toBe(200);
    await applications.update(siteAt(), clientId, { assertionAudience: undefined });
    expectError(await addressed(tokenEndpoint(), clientId), 401, 'invalid_client');
  });

  test('is refused with another value, and without keys', async () => {
    await start();
    const service = { audience: 'service', clientName: 'Library', scopes: ['courses:read'] } as const;
    const { applications } = schools.campus;
    const without = applications.create(siteAt(), { ...service, assertionAudience: 'token_endpoint' });
    await expect(without).rejects.toThrow('assertionAudience is only for an application with public keys');
    const wrong = { ...service, publicKeys: { keys: [keys.other.publicJwk] }, assertionAudience: 'issuer' };
    const create = applications.create.bind(applications);
    await expect(Reflect.apply(create, null, [siteAt(), wrong])).rejects.toThrow('is not "token_endpoint"');
    const own = { ...sync, assertionAudience: 'token_endpoint' } as const;
    await expect(startSchools({ campus: { ...withServices, clients: [own] } })).rejects.toThrow(
      'clients[0].assertionAudience must not be set without publicKeys',
    );
  });

  test.each([
    ['token', 'token.refused'],
    ['revoke', 'revocation.refused'],
    ['introspect', 'introspection.refused'],
  ])('another audience at %s is an event that names the client and the value', async (path, action) => {
    await start();
    const audiences = [`https://user:hush@other.example/token?code=hush`, 'hush'.repeat(12), ...Array(9).fill('x')];
    const sent = await fields({ claims: { aud: audiences } });
    await postForm(`${schools.harbour}/api/oauth/${path}`, { grant_type: 'client_credentials', token: 'x', ...sent });
    const claimed = { audiences: ['https://other.example/token', 'x', 'x', 'x'] };
    expect(events).toMatchObject([{ action, reason: 'assertion_audience', clientId: 'keyed', claimed }]);
    expect(JSON.stringify(events)).not.toContain('hush');
  });
});

/** What a client sends that does not prove who it is. */
describe('refuses', () => {
  const audience = 'aud of client_assertion must be SCHOOL, the issuer, alone';
  const wrong: readonly (readonly [what: string, changes: () => AssertionChanges, text: string])[] = [
    ['the audience of another server', () => ({ claims: { aud: 'https://other.example' } }), audience],
    ['only audiences of others', () => ({ claims: { aud: ['https://other.example'] } }), audience],
    ['the token endpoint', () => ({ claims: { aud: tokenEndpoint() } }), audience],
    ['the token endpoint beside the issuer', () => ({ claims: { aud: [schools.harbour, tokenEndpoint()] } }), audience],
    ['the issuer with a slash', () => ({ claims: { aud: `${schools.harbour}/` } }), audience],
    ['a second audience', () => ({ claims: { aud: [schools.harbour, 'https://other.example'] } }), audience],
    ['a second audience that is no text', () => ({ claims: { aud: [schools.harbour, 5] } }), audience],
    [
      'the audience of another endpoint',
      () => ({ claims: { aud: `${schools.harbour}/api/oauth/userinfo` } }),
      audience,
    ],
    ['no audience', () => ({ claims: { aud: undefined } }), audience],
    ['an assertion for another school', () => ({ claims: { aud: schools.summit } }), audience],
    ['another issuer', () => ({ claims: { iss: 'another' } }), 'iss'],
    ['no issuer', () => ({ claims: { iss: undefined } }), 'iss'],
    ['no subject', () => ({ claims: { sub: undefined } }), 'sub'],
    ['another subject, whose key it is not', () => ({ claims: { iss: 'another', sub: 'another' } }), 'must be signed'],
    [
      'an unknown subject',
      () => ({ claims: { iss: 'nobody', sub: 'nobody' } }),
      'sub of client_assertion must be a client',
    ],
    ['a subject that is no text', () => ({ claims: { sub: 5 } }), 'sub of client_assertion must be text'],
    ['a past', () => ({ claims: { exp: now() - 60 } }), 'expired'],
    ['no end', () => ({ claims: { exp: undefined } }), 'exp'],
    ['an end as text', () => ({ claims: { exp: String(now() + 60) } }), 'exp of client_assertion must be a number'],
    ['a beginning as text', () => ({ claims: { nbf: String(now()) } }), 'nbf of client_assertion must be a number'],
    ['a time of issue as text', () => ({ claims: { iat: String(now()) } }), 'iat of client_assertion must be a number'],
    ['more than an hour', () => ({ claims: { exp: now() + 3700 } }), 'an hour'],
    ['a future beginning', () => ({ claims: { nbf: now() + 60 } }), 'nbf'],
    ['no jti', () => ({ claims: { jti: undefined } }), 'jti'],
    ['a jti as a number', () => ({ claims: { jti: 5 } }), 'jti of client_assertion must be text'],
    ['another type of token', () => ({ header: { typ: 'at+jwt' } }), 'typ'],
    ['an unknown key', () => ({ header: { kid: 'nobody' } }), 'must be signed'],
    ['the key of another client', () => ({ key: keys.other.privateKey }), 'must be signed'],
    ['an algorithm that is not offered', () => ({ header: { alg: 'ES384' }, key: keys.es384.privateKey }), 'alg'],
    ['the public key as a shared secret', () => ({ header: { alg: 'HS256' }, key: publicKeyBytes() }), 'alg'],
  ];

  const publicKeyBytes = (): Uint8Array => Buffer.from(JSON.stringify(keys.ES256.publicJwk));

  test.each(wrong)('%s', async (_what, changes, text) => {
    await start();
    const response = await ask(changes());
    expectError(response, 401, 'invalid_client');
    expect(response.body['error_description']).toContain(text.replaceAll('SCHOOL', schools.harbour));
    const reason = text === audience ? 'assertion_audience' : 'invalid_client';
    expect(events).toMatchObject([{ action: 'token.refused', reason }]);
  });

  const missing = 'client_assertion is missing';
  const notJwt = 'client_assertion must be a JWT';
  test.each<[what: string, change: (right: Changes) => Changes, error: string, text: string]>([
    ['an assertion without a signature', () => ({ client_assertion: unsigned() }), 'invalid_client', 'alg'],
    ['what is not a JWT', () => ({ client_assertion: 'x' }), 'invalid_request', notJwt],
    ['another header', (right) => ({ client_assertion: withoutHeader(right) }), 'invalid_client', notJwt],
    ['an empty assertion', () => ({ client_assertion: '', client_id: 'keyed' }), 'invalid_client', missing],
    ['no assertion', () => ({ client_assertion: undefined, client_id: 'keyed' }), 'invalid_client', missing],
    ['no assertion, and no client_id', () => ({ client_assertion: undefined }), 'invalid_request', missing],
    ['no type', () => ({ client_assertion_type: undefined }), 'invalid_request', 'client_assertion_type is missing'],
    [
      'another type',
      () => ({ client_assertion_type: 'x' }),
      'invalid_request',
      'client_assertion_type must have value',
    ],
    [
      'another client_id',
      () => ({ client_id: 'another' }),
      'invalid_request',
      'client_id must be the sub of client_assertion',
    ],
    [
      'a secret as well',
      () => ({ client_id: 'keyed', client_secret: 'x' }),
      'invalid_request',
      'send one of client_assertion, client_secret and the Authorization header',
    ],
  ])('%s', async (_what, change, error, text) => {
    await start();
    const right = await fields();
    const response = await serviceTokenWith(schools.harbour, { ...right, ...change(right) });
    expectError(response, error === 'invalid_client' ? 401 : 400, error);
    expect(response.body['error_description']).toContain(text);
  });

  const withoutHeader = ({ client_assertion: sent = '' }: Changes): string => sent.replace(/^[^.]+/, 'x');

  const unsigned = (): string =>
    new UnsecuredJWT({ iss: 'keyed', sub: 'keyed', aud: schools.harbour, exp: now() + 60, jti: randomUUID() }).encode();

  test('HTTP Basic as well', async () => {
    await start({ clientAuthentication: ['client_secret_basic', 'private_key_jwt'] });
    const authorization = `Basic ${Buffer.from('keyed:x').toString('base64')}`;
    const form = { grant_type: 'client_credentials', ...(await fields()) };
    expectError(await postForm(`${schools.harbour}/api/oauth/token`, form, { authorization }), 400, 'invalid_request');
  });

  test('a secret of a client with keys, and an assertion of one with a secret or without anything', async () => {
    await start();
    expectError(await serviceToken(schools.harbour, { ...syncApp, id: 'keyed' }), 401, 'invalid_client');
    for (const id of [sync.clientId, 'member-app']) expectError(await ask({}, keys.ES256, id), 401, 'invalid_client');
  });

  test('an assertion that was used, at every endpoint', async () => {
    await start();
    const used = await fields();
    expect((await serviceTokenWith(schools.harbour, used)).status).toBe(200);
    for (const path of ['token', 'introspect', 'revoke']) {
      const form = { grant_type: 'client_credentials', token: 'x', ...used };
      const response = await postForm(`${schools.harbour}/api/oauth/${path}`, form);
      expectError(response, 401, 'invalid_client');
      expect(response.body['error_description']).toContain('used before');
    }
  });

  test('one of another client with the same jti is another one', async () => {
    await start();
    const claims = { jti: 'same' };
    expect((await ask({ claims })).status).toBe(200);
    expect((await ask({ claims }, keys.other, 'another')).status).toBe(200);
    expectError(await ask({ claims }), 401, 'invalid_client');
  });
});

describe('with a key', () => {
  const authenticated = (): Promise<Changes> => fields({}, keys.ES256, robot.id);

  test('a client of people connects, refreshes, introspects and revokes, and does nothing of it without', async () => {
    await start();
    const code = await getCode(schools.browser('olivia'), schools.harbour, robot);
    expectError(await exchange(code), 401, 'invalid_client');
    const { status, body } = await exchange(code, await authenticated());
    expect(status).toBe(200);
    const { access_token: token, refresh_token: refreshToken } = body;
    expectError(await refresh(schools.harbour, robot, refreshToken), 401, 'invalid_client');
    expect((await refresh(schools.harbour, robot, refreshToken, await authenticated())).status).toBe(200);
    const at = (path: string, more: Changes): Promise<JsonResponse> =>
      postForm(`${schools.harbour}/api/oauth/${path}`, { token: String(token), ...more });
    for (const path of ['introspect', 'revoke'])
      expectError(await at(path, { client_id: robot.id }), 401, 'invalid_client');
    expect((await at('introspect', await authenticated())).body).toMatchObject({ active: true, client_id: robot.id });
    expect((await at('revoke', await authenticated())).status).toBe(200);
    expect((await at('introspect', await authenticated())).body).toEqual({ active: false });
  });

  test('the consent page and the list of connected apps say that it proves who it is', async () => {
    await start();
    const { html } = await schools.browser('olivia').follow(authorizeUrl(schools.harbour, robot, pkce()));
    expect(html).toContain('its own key');
    const { html: other } = await schools.browser('olivia').follow(authorizeUrl(schools.harbour, reports, pkce()));
    expect(other).not.toContain('its own key');
    await exchange(await getCode(schools.browser('olivia'), schools.harbour, robot), await authenticated());
    expect(await schools.campus.connections.list(siteAt(), 'olivia')).toMatchObject([
      { clientId: 'robot', usesKey: true },
    ]);
  });

  test('issueTokens needs no private key: of a client in code, or of an application', async () => {
    await start();
    const { applications } = schools.campus;
    const redirectUris = ['https://a.example/'];
    const publicKeys = { keys: [keys.RS256.publicJwk] };
    const app = { audience: 'operator', confidential: true, clientName: 'A', redirectUris, publicKeys } as const;
    const { application } = await applications.create(siteAt(), { ...app, scopes: ['openid'] });
    for (const clientId of [robot.id, application.clientId]) {
      const request = { site: schools.harbour, memberId: 'olivia', clientId, scopes: ['openid'] };
      expect((await issueTokens(schools.campus, request)).scope).toBe('openid');
    }
    // What is stored has its keys, as before.
    expect(await applications.find(siteAt(), application.clientId)).toMatchObject({
      publicKeys: { keys: [{ kid: 'rs' }] },
    });
  });

  test('a store that fails is 503, not a wrong assertion', async () => {
    const breakable = breakableStore();
    await start({ store: breakable.store });
    breakable.break('save OneTimeSecret');
    expectError(await ask(), 503, 'temporarily_unavailable');
  });

  test('there are two calls of the store more than with a secret, and none for the others', async () => {
    const { store, calls } = countedStore();
    await start({ store });
    const count = async (send: () => Promise<JsonResponse>): Promise<number> => {
      await send();
      calls.splice(0);
      expect((await send()).status).toBe(200);
      return calls.length;
    };
    const withSecret = await count(() => serviceToken(schools.harbour));
    expect(await count(() => ask())).toBe(withSecret + 2);
    await schools.close();
    const without = countedStore();
    await start({ store: without.store, clients: withServices.clients, clientAuthentication: [] });
    without.calls.splice(0);
    await serviceToken(schools.harbour);
    without.calls.splice(0);
    await serviceToken(schools.harbour);
    expect(without.calls.length).toBe(withSecret);
  });
});

describe('applications with keys', () => {
  const service = { audience: 'service', clientName: 'Library', scopes: ['courses:read'] } as const;
  const set = (...given: ClientKey[]) => ({ keys: given.map(({ publicJwk }) => publicJwk) });

  test('have no secret, and what a key has requested ends with it', async () => {
    await start();
    const { applications } = schools.campus;
    const { application, clientSecret } = await applications.create(siteAt(), {
      ...service,
      publicKeys: set(keys.ES256),
    });
    const { clientId } = application;
    expect([clientSecret, application.confidential]).toEqual([undefined, true]);
    expect(await applications.secrets(siteAt(), clientId)).toEqual([]);
    const { body } = await ask({}, keys.ES256, clientId);
    const verify = (): Promise<unknown> =>
      schools.campus.verify(siteAt(), String(body['access_token']), { audience: ['service'] });
    await expect(verify()).resolves.toMatchObject({ clientId });
    await applications.update(siteAt(), clientId, { publicKeys: set(keys.ES256, keys.RS256) });
    await expect(verify()).resolves.toMatchObject({ clientId });
    await applications.update(siteAt(), clientId, { publicKeys: set(keys.RS256) });
    expect(events.at(-1)).toMatchObject({ action: 'application.changed', reason: 'keys' });
    await expect(verify()).rejects.toMatchObject({ error: 'invalid_token' });
    expectError(await ask({}, keys.ES256, clientId), 401, 'invalid_client');
    expect((await ask({}, keys.RS256, clientId)).status).toBe(200);
    await expect(applications.rotateSecret(siteAt(), clientId)).rejects.toThrow('has no secret');
    await expect(applications.update(siteAt(), clientId, { publicKeys: undefined })).rejects.toThrow('is missing');
    await applications.remove(siteAt(), clientId);
    expectError(await ask({}, keys.RS256, clientId), 401, 'invalid_client');
  });

  test.each<[what: string, keys: () => unknown, text: string]>([
    ['a private key', () => ({ keys: [{ ...keys.ES256.publicJwk, d: 'x' }] }), 'no longer secret'],
    ['a shared secret', () => ({ keys: [{ kty: 'oct', k: 'x' }] }), 'no longer secret'],
    ['a short key', () => set(short()), '1024 bits, not 2048'],
    ['another curve', async () => set(await clientKey('ES384')), 'neither an RSA key nor'],
    ['a key for encryption', () => ({ keys: [{ ...keys.ES256.publicJwk, use: 'enc' }] }), 'use is not sig'],
    ['another algorithm', () => ({ keys: [{ ...keys.RS256.publicJwk, alg: 'RS512' }] }), 'PS256 or RS256'],
    ['half a key', () => ({ keys: [{ ...keys.ES256.publicJwk, y: undefined }] }), 'is missing or wrong'],
    ['no key', () => ({ keys: [] }), 'has 0 keys'],
    ['two keys of one name', () => set(keys.ES256, keys.other), 'kid of another key'],
    [
      'two keys, one without a name',
      () => ({ keys: [...set(keys.ES256).keys, { ...keys.RS256.publicJwk, kid: undefined }] }),
      'no kid',
    ],
    ['an address without TLS', () => 'http://keys.example/jwks.json', 'https: address'],
    ['a key set as a text', () => JSON.stringify(set(keys.ES256)), 'https: address'],
    ['something else', () => 7, 'neither a JSON Web Key Set'],
  ])('refuse %s', async (_what, given, text) => {
    await start();
    const application = { ...service, publicKeys: await given() };
    const { applications } = schools.campus;
    const createApplication = applications.create.bind(applications);
    await expect(Reflect.apply(createApplication, null, [siteAt(), application])).rejects.toThrow(text);
  });

  test('an application is never without both, nor public with keys, and none changes its kind', async () => {
    await start();
    const { applications } = schools.campus;
    const app = { ...service, audience: 'member', scopes: ['openid'], redirectUris: ['https://a.example/'] } as const;
    await expect(
      applications.create(siteAt(), { ...app, confidential: false, publicKeys: set(keys.ES256) }),
    ).rejects.toThrow('confidential');
    const { application } = await applications.create(siteAt(), service);
    await expect(applications.update(siteAt(), application.clientId, { publicKeys: set(keys.ES256) })).rejects.toThrow(
      'created with keys',
    );
  });
});

test('without the option nothing takes an assertion or keys, and an application with keys is no client', async () => {
  const store = memoryStore();
  await start({ store });
  const publicKeys = { keys: [keys.ES256.publicJwk] };
  const service = { audience: 'service', clientName: 'Library', scopes: ['courses:read'], publicKeys } as const;
  const { application } = await schools.campus.applications.create(siteAt(), service);
  await schools.close();
  const off = { store, clients: withServices.clients, clientAuthentication: [] };
  await expect(start({ ...off, clients: clients() })).rejects.toThrow("clientAuthentication: ['private_key_jwt']");
  await start(off);
  for (const form of [await fields({}, keys.ES256, application.clientId), { client_id: application.clientId }])
    expectError(
      await serviceTokenWith(schools.harbour, form),
      form['client_id'] ? 401 : 400,
      form['client_id'] ? 'invalid_client' : 'invalid_request',
    );
  await expect(schools.campus.applications.create(siteAt(), service)).rejects.toThrow('is not available');
});

describe('libraries', () => {
  const options = { [oauth.allowInsecureRequests]: true };

  test.each(['EdDSA', 'ES256', 'PS256', 'RS256'] as const)(
    'openid-client with %s: exchanges, refreshes, introspects and revokes',
    async (alg) => {
      const { publicJwk, privateKey: key, kid } = keys[alg];
      const own = clients().map((each) =>
        each.clientId === robot.id ? { ...each, publicKeys: { keys: [{ ...publicJwk, alg: undefined }] } } : each,
      );
      await start({ clients: own });
      const insecure = { execute: [oidc.allowInsecureRequests] };
      const issuer = schools.harbour;
      const config = await oidc.discovery(
        new URL(issuer),
        robot.id,
        undefined,
        oidc.PrivateKeyJwt({ key, kid }),
        insecure,
      );
      const supported = config.serverMetadata()['token_endpoint_auth_signing_alg_values_supported'];
      expect(supported).toEqual(['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256']);
      const pair = pkce();
      const { url } = await authorize(
        schools.browser('olivia'),
        authorizeUrl(issuer, robot, pair, { nonce: undefined, state: undefined }),
      );
      const tokens = await oidc.authorizationCodeGrant(config, url, { pkceCodeVerifier: pair.verifier });
      const again = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(await oidc.tokenIntrospection(config, again.access_token)).toMatchObject({ active: true });
      await oidc.tokenRevocation(config, again.access_token);
      expect(await oidc.tokenIntrospection(config, again.access_token)).toMatchObject({ active: false });
    },
  );

  test('oauth4webapi: a service', async () => {
    await start();
    const { privateKey: key, kid } = keys.ES256;
    const issuer = new URL(schools.harbour);
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
    const client = { client_id: 'keyed' };
    const proof = oauth.PrivateKeyJwt({ key, kid });
    const response = await oauth.clientCredentialsGrantRequest(server, client, proof, {}, options);
    expect(await oauth.processClientCredentialsResponse(server, client, response)).toMatchObject({
      scope: 'courses:read',
    });
  });
});
