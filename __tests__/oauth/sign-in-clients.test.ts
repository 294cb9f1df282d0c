import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import * as oidc from 'openid-client';
import type { Application, CampusKeys, Jwk, NewApplication, SignInOptions } from '../../lib/index.ts';
import { signInMetadata, signInOf } from '../../lib/core/clients/sign-in-client.ts';
import { loopbackClients } from '../../policies/index.ts';
import {
  authorize,
  authorizeUrl,
  type Changes,
  connect,
  type JsonResponse,
  jsonResponse,
  pkce,
  postForm,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { readPage } from '../helpers/page.ts';
import { expectError, redirectQuery } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

const insecure = { execute: [oidc.allowInsecureRequests] };
const redirectUri = 'https://library.example/callback';
const pair = pkce();

let es256: Jwk;
let rs256: Jwk;
/** What the host's function returns. The schools look at it again after ten seconds, so each set has its own. */
let schools: Schools;
beforeAll(async () => {
  [es256, rs256] = await Promise.all([signingKey('es'), signingKey('rs', 'RS256')]);
  schools = await startSchools({
    campus: {
      keys: keysWith([es256, rs256]),
      logout: { endSession: () => undefined },
      pseudonyms: { key: 'a key of pseudonyms that never changes' },
      registration: [loopbackClients()],
    },
  });
});
afterAll(() => schools.close());

function keysWith(signing: readonly Jwk[]): CampusKeys {
  return { signing, cookies: ['a secret of the tests'] };
}

interface Created extends TestClient {
  readonly secret: string;
  readonly application: Application;
}

async function create(
  signIn?: SignInOptions,
  at: Schools = schools,
  change: Partial<NewApplication> = {},
): Promise<Created> {
  const { application, clientSecret = '' } = await at.campus.applications.create(siteOf(at), {
    clientName: 'Library',
    redirectUris: [redirectUri],
    scopes: ['openid', 'profile', 'email'],
    confidential: true,
    signIn,
    ...change,
  });
  return { id: application.clientId, redirectUri, secret: clientSecret, scope: 'openid profile email', application };
}

function basic({ id, secret = '' }: TestClient): Record<string, string> {
  return {
    authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
  };
}

const post = (client: TestClient, form: Changes): Promise<JsonResponse> =>
  postForm(`${schools.harbour}/api/oauth/token`, form, basic(client));

test('openid-client signs a student in by RS256, HTTP Basic and without resource, asks UserInfo, refreshes and signs out', async () => {
  const bye = 'https://library.example/bye';
  const { id, secret } = await create({}, schools, { postLogoutRedirectUris: [bye] });
  const metadata = { id_token_signed_response_alg: 'RS256' };
  const config = await oidc.discovery(new URL(schools.harbour), id, metadata, oidc.ClientSecretBasic(secret), insecure);
  const verifier = oidc.randomPKCECodeVerifier();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { url: callback } = await authorize(schools.browser('sam'), url);
  oidc.enableNonRepudiationChecks(config);
  const tokens = await oidc.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier });
  expect(decodeProtectedHeader(tokens.id_token ?? '')).toMatchObject({ alg: 'RS256', kid: 'rs' });
  expect(tokens.claims()).toMatchObject({ sub: 'sam', aud: id, roles: ['student'] });
  expect(await oidc.fetchUserInfo(config, tokens.access_token, 'sam')).toMatchObject({ sub: 'sam' });
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect((await oidc.tokenIntrospection(config, refreshed.access_token)).aud).toBe(schools.harbour);
  const hint = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: bye };
  const browser = schools.browser('sam');
  const { html } = await browser.follow(oidc.buildEndSessionUrl(config, hint));
  const fields = new URLSearchParams([...readPage(html).getByRole('form').fields, ['logout', 'yes']]);
  const left = await browser.follow(`${schools.harbour}/oauth/logout/confirm`, { method: 'POST', body: fields });
  expect(left.url.href).toBe(bye);
  await oidc.tokenRevocation(config, refreshed.refresh_token ?? '');
  expect((await userinfo(schools.harbour, refreshed.access_token)).status).toBe(401);
});

describe('with an RS256 key', () => {
  test('the metadata lists both algorithms, ES256 first, and no other way to authenticate', async () => {
    const response = await fetch(`${schools.harbour}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    });
  });

  test('only the public part of the keys is published', async () => {
    const { keys } = await (await fetch(`${schools.harbour}/.well-known/jwks.json`)).json();
    expect(keys).toEqual([
      { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: 'es', x: es256.x, y: es256.y },
      { kty: 'RSA', alg: 'RS256', use: 'sig', kid: 'rs', n: rs256.n, e: 'AQAB' },
    ]);
  });

  test('clients that do not say so get ES256', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    expect(decodeProtectedHeader(String(body['id_token']))).toMatchObject({ alg: 'ES256', kid: 'es' });
  });
});

describe('without an RS256 key', () => {
  test('a sign-in client gets ES256, and the metadata lists nothing else', async () => {
    const others = await startSchools({ campus: { keys: { ...keysWith([es256]), published: [rs256] } } });
    const client = await create({}, others);
    const { body } = await connect(others.browser('sam'), others.harbour, client);
    expect(decodeProtectedHeader(String(body['id_token']))).toMatchObject({ alg: 'ES256', kid: 'es' });
    const response = await fetch(`${others.harbour}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({ id_token_signing_alg_values_supported: ['ES256'] });
    await others.close();
  });
});

describe('the record of an application', () => {
  test('says each property', async () => {
    expect((await create({})).application.signIn).toEqual({
      basic: true,
      idTokenAlgorithm: 'RS256',
      defaultResource: true,
    });
    const { application } = await create({ basic: false, idTokenAlgorithm: 'ES256', defaultResource: false });
    expect(application.signIn).toEqual({ basic: false, idTokenAlgorithm: 'ES256', defaultResource: false });
    expect((await create()).application).not.toHaveProperty('signIn');
  });

  test('keeps them when something else changes, and when its secret is rotated', async () => {
    const { id, application } = await create({ basic: false });
    const site = siteOf(schools);
    expect((await schools.campus.applications.update(site, id, { clientName: 'New' })).signIn).toEqual(
      application.signIn,
    );
    expect((await schools.campus.applications.rotateSecret(site, id)).application.signIn).toEqual(application.signIn);
    expect((await schools.campus.applications.find(site, id))?.signIn).toEqual(application.signIn);
  });

  test.each<[string, unknown, string]>([
    ['HMAC', { idTokenAlgorithm: 'HS256' }, 'idTokenAlgorithm must be ES256 or RS256'],
    ['no signature', { idTokenAlgorithm: 'none' }, 'idTokenAlgorithm must be ES256 or RS256'],
    [
      'another property',
      { implicit: true },
      'signIn.implicit"; valid options: basic, idTokenAlgorithm, defaultResource',
    ],
  ])('refuses %s', async (_what, signIn, text) => {
    await expect(create(Object(signIn))).rejects.toThrow(text);
  });
});

describe('a property that is off', () => {
  test('basic: HTTP Basic is refused, the form field is not', async () => {
    const client = await create({ basic: false });
    const refused = await post(client, { grant_type: 'refresh_token', refresh_token: 'x' });
    expectError(refused, 401, 'invalid_client');
    expect(refused.body['error_description']).toContain('HTTP Basic is not supported here');
    expect((await connect(schools.browser('sam'), schools.harbour, client)).status).toBe(200);
  });

  test('defaultResource: a request without resource is refused', async () => {
    const client = await create({ defaultResource: false });
    const url = authorizeUrl(schools.harbour, client, pair, { resource: undefined });
    const query = redirectQuery(await schools.browser('sam').fetch(url), redirectUri);
    expect(query).toMatchObject({ error: 'invalid_target' });
  });

  test('idTokenAlgorithm: ES256', async () => {
    const client = await create({ idTokenAlgorithm: 'ES256' });
    const { body } = await connect(schools.browser('sam'), schools.harbour, client);
    expect(decodeProtectedHeader(String(body['id_token'])).alg).toBe('ES256');
  });
});

describe('no request gives a client what another kind has', () => {
  let signIn: Created;
  let plain: Created;
  beforeEach(async () => {
    [signIn, plain] = [await create({}), await create()];
  });

  test('another resource than the school is refused to a sign-in client too', async () => {
    for (const resource of ['https://other.example', schools.summit]) {
      const url = authorizeUrl(schools.harbour, signIn, pair, { resource });
      expect(redirectQuery(await schools.browser('sam').fetch(url), redirectUri)).toMatchObject({
        error: 'invalid_target',
      });
    }
  });

  test.each<[string, Changes]>([
    ['its algorithm', { id_token_signed_response_alg: 'RS256' }],
    ['its kind', { signIn: 'true', sign_in: 'yes', campus_sign_in: '{"default_resource":true}' }],
  ])('%s as a parameter changes nothing for an API client', async (_what, parameters) => {
    const url = authorizeUrl(schools.harbour, plain, pair, { resource: undefined, ...parameters });
    expect(redirectQuery(await schools.browser('sam').fetch(url), redirectUri)).toMatchObject({
      error: 'invalid_target',
    });
    const { body } = await connect(schools.browser('sam'), schools.harbour, plain, parameters);
    expect(decodeProtectedHeader(String(body['id_token'])).alg).toBe('ES256');
  });

  test('the id of a sign-in client beside the secret of an API client, and the other way round', async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    expectError(await post({ ...signIn, secret: plain.secret }, form), 401, 'invalid_client');
    const refused = await post({ ...plain, secret: signIn.secret }, form);
    expectError(refused, 401, 'invalid_client');
    expect(refused.body['error_description']).toContain('HTTP Basic is not supported here');
    const mixed = await post(signIn, { ...form, client_id: plain.id });
    expectError(mixed, 400, 'invalid_request');
  });

  test('an app that registers itself asks for all of it, and gets none', async () => {
    const callback = 'http://127.0.0.1:49152/callback';
    const asked = {
      client_name: 'Tool',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'HS256',
      userinfo_signed_response_alg: 'HS256',
      subject_type: 'pairwise',
      signIn: {},
      campus_sign_in: { basic: true, id_token_algorithm: 'RS256', default_resource: true },
      campus_subject: 'pairwise',
      campus_source: 'application',
      campus_audience: 'member',
      post_logout_redirect_uris: [callback],
      backchannel_logout_uri: 'https://tool.example/told',
    };
    const { body: registered } = await jsonResponse(
      await fetch(`${schools.harbour}/api/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(asked),
      }),
    );
    expect(registered['token_endpoint_auth_method']).toBe('none');
    for (const name of ['id_token_signed_response_alg', 'subject_type', 'campus_sign_in', 'client_secret'])
      expect(registered).not.toHaveProperty(name);
    const tool: TestClient = { id: String(registered['client_id']), redirectUri: callback, scope: 'openid profile' };
    const { body } = await connect(schools.browser('olivia'), schools.harbour, tool);
    expect(decodeProtectedHeader(String(body['id_token'])).alg).toBe('ES256');
    expect(decodeJwt(String(body['id_token'])).sub).toBe('olivia');
    const refused = await post(tool, { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) });
    expectError(refused, 401, 'invalid_client');
    const leave = new URLSearchParams({ client_id: tool.id, post_logout_redirect_uri: callback });
    const stays = await schools.browser('olivia').follow(`${schools.harbour}/oauth/logout?${leave.toString()}`);
    expect([stays.response.status, stays.url.host]).toEqual([400, new URL(schools.harbour).host]);
  });

  test('nor does what such an app or a document would store', () => {
    const stored = signInMetadata({ signIn: {} });
    expect(signInOf(stored)).toBeDefined();
    for (const source of ['document', 'registered'])
      expect(signInOf({ ...stored, campus_source: source })).toBeUndefined();
  });

  test('an RS256 token names its key and algorithm, and is good with no other', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, signIn);
    const token = String(body['id_token']);
    const keys = createRemoteJWKSet(new URL(`${schools.harbour}/.well-known/jwks.json`));
    const expected = { issuer: schools.harbour, audience: signIn.id };
    await jwtVerify(token, keys, { ...expected, algorithms: ['RS256'] });
    for (const algorithm of ['ES256', 'HS256'])
      await expect(jwtVerify(token, keys, { ...expected, algorithms: [algorithm] })).rejects.toThrow('"alg"');
    const [, claims = '', signature = ''] = token.split('.');
    for (const header of [
      { alg: 'ES256', kid: 'es' },
      { alg: 'ES256', kid: 'rs' },
      { alg: 'RS256', kid: 'es' },
    ]) {
      const swapped = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${claims}.${signature}`;
      await expect(jwtVerify(swapped, keys, expected)).rejects.toThrow();
      const url = authorizeUrl(schools.harbour, signIn, pair, { id_token_hint: swapped, prompt: 'none' });
      expect(redirectQuery(await schools.browser('sam').fetch(url), redirectUri)).toMatchObject({
        error: 'invalid_request',
      });
    }
  });

  test.each<[string, string]>([
    ['an unknown client', 'nobody'],
    ['a metadata document', 'https://app.example/client.json'],
    ['a client in code', webMemberApp.id],
    ['an id that no client has', 'a\u0000b'],
  ])('%s does not get HTTP Basic', async (_what, id) => {
    const refused = await post({ ...webMemberApp, id }, { grant_type: 'refresh_token', refresh_token: 'x' });
    expectError(refused, 401, 'invalid_client');
    expect(refused.headers.get('www-authenticate')).toBe(`Basic realm="${schools.harbour}"`);
    expect(refused.body['error_description']).toBe(
      'HTTP Basic is not supported here; send client_id and client_secret in the body; a proxy may have added the Authorization header',
    );
  });
});

const secretOf = (key: Jwk): KeyObject =>
  createPrivateKey({ key: Object.fromEntries(Object.entries(key)), format: 'jwk' });

describe('the algorithm of an id_token_hint', () => {
  const hint = async (
    client: Created,
    alg: string,
    key: Parameters<SignJWT['sign']>[0],
    kid: string,
  ): Promise<string> =>
    new SignJWT({})
      .setProtectedHeader({ alg, kid })
      .setSubject('sam')
      .setIssuer(schools.harbour)
      .setAudience(client.id)
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(key);

  test('is that of the client: HMAC with the public key, HMAC with the secret, none and the other key are refused', async () => {
    const client = await create({});
    const publicPem = createPublicKey({ key: { kty: 'RSA', n: String(rs256.n), e: String(rs256.e) }, format: 'jwk' })
      .export({ format: 'pem', type: 'spki' })
      .toString();
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
    const claims = { sub: 'sam', iss: schools.harbour, aud: client.id };
    const hints = [
      await hint(client, 'HS256', bytes(publicPem), 'rs'),
      await hint(client, 'HS256', bytes(client.secret), 'rs'),
      await hint(client, 'HS256', bytes(createHash('sha256').update(client.secret).digest('base64url')), 'rs'),
      await hint(client, 'ES256', secretOf(es256), 'es'),
      await hint(client, 'ES256', secretOf(es256), 'rs'),
      `${encoded({ alg: 'none', kid: 'rs' })}.${encoded(claims)}.`,
    ];
    for (const id_token_hint of hints) {
      const url = authorizeUrl(schools.harbour, client, pair, { id_token_hint, prompt: 'none' });
      expect(redirectQuery(await schools.browser('sam').fetch(url), redirectUri)).toMatchObject({
        error: 'invalid_request',
      });
    }
    const right = await hint(client, 'RS256', secretOf(rs256), 'rs');
    const url = authorizeUrl(schools.harbour, client, pair, { id_token_hint: right, prompt: 'none' });
    expect(redirectQuery(await schools.browser('sam').fetch(url), redirectUri)).toMatchObject({
      error: 'consent_required',
    });
  });
});
