import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ResourceServer } from '../../lib/index.ts';
import { type ClientKey, clientKey, keyFields } from '../helpers/client-keys.ts';
import {
  authorizeUrl,
  type Changes,
  clientFields,
  connect,
  introspect,
  jsonResponse,
  type JsonResponse,
  memberApp,
  pkce,
  postForm,
} from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const gateway = { id: 'gateway', redirectUri: 'https://gateway.example/callback', secret: 'gateway-secret', scope: '' };

let schools: Schools;
let key: ClientKey;
let token: string;
beforeAll(async () => {
  key = await clientKey();
  schools = await startSchools({ campus: { resourceServers: resourceServers() } });
  token = String((await connect(schools.browser('sam'), schools.harbour, memberApp)).body['access_token']);
});
afterAll(() => schools.close());

function resourceServers(): ResourceServer[] {
  return [
    { clientId: 'gateway', clientSecret: 'gateway-secret', sites: ['harbour'] },
    { clientId: 'keyed', publicKeys: { keys: [key.publicJwk] } },
  ];
}

const basic = (id: string, secret = `${id}-secret`): string => `Basic ${btoa(`${id}:${secret}`)}`;

/** Posts to an endpoint in each way in which a resource server authenticates. */
const ways: readonly [string, (path: string, fields: Changes) => Promise<JsonResponse>][] = [
  ['HTTP Basic', (path, fields) => post(path, fields, { authorization: basic('gateway') })],
  ['its secret in the form', (path, fields) => post(path, { ...fields, ...clientFields(gateway) })],
  ['its key', async (path, fields) => post(path, { ...fields, ...(await keyFields('keyed', schools.harbour, key)) })],
];

function post(path: string, fields: Changes, headers?: Readonly<Record<string, string>>): Promise<JsonResponse> {
  return postForm(`${schools.harbour}/api/oauth/${path}`, fields, headers);
}

test.each(ways)('a resource server introspects with %s, and does nothing else', async (_way, ask) => {
  expect((await ask('introspect', { token })).body).toMatchObject({ active: true, client_id: memberApp.id });
  expectError(await ask('revoke', { token }), 401, 'invalid_client');
  expectError(await ask('token', { grant_type: 'refresh_token', refresh_token: token }), 401, 'invalid_client');
  expect((await introspect(schools.harbour, memberApp, token)).body['active']).toBe(true);
});

test('without the option clientAuthentication no client may use HTTP Basic or a key for tokens', async () => {
  const { status, body } = await post('introspect', { token }, { authorization: basic('reports') });
  expect([status, body]).toEqual([200, { active: false }]);
  const refused = await post('token', { grant_type: 'client_credentials' }, { authorization: basic('reports') });
  expectError(refused, 401, 'invalid_client');
  expect(refused.body['error_description']).toContain('HTTP Basic is not supported here');
});

test.each<[string, Changes, string]>([
  ['a wrong secret', {}, basic('gateway', 'guess')],
  ['an unknown id', {}, basic('nobody')],
  ['the id of one with a key', {}, basic('keyed')],
])('%s is refused, with a challenge', async (_what, fields, authorization) => {
  const response = await post('introspect', { token, ...fields }, { authorization });
  expectError(response, 401, 'invalid_client');
  expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
});

test('an id alone is not enough', async () => {
  for (const clientId of ['gateway', 'keyed'])
    expectError(await post('introspect', { token, client_id: clientId }), 401, 'invalid_client');
});

test('another school does not know it', async () => {
  expectError(await introspect(schools.summit, gateway, token), 401, 'invalid_client');
});

test('nobody can authorize it', async () => {
  const { html } = await schools.browser('olivia').follow(authorizeUrl(schools.harbour, gateway, pkce()));
  expect(html).toContain('invalid_client');
});

test('discovery lists how it authenticates for introspection alone', async () => {
  const metadata = async (campus: object): Promise<Record<string, unknown>> => {
    const own = await startSchools({ campus });
    const { body } = await jsonResponse(await fetch(`${own.harbour}/.well-known/openid-configuration`));
    await own.close();
    return Object.fromEntries(Object.entries(body).filter(([name]) => /_endpoint_auth_/.test(name)));
  };
  const plain = ['client_secret_post', 'none'];
  const none = await metadata({ resourceServers: [] });
  expect(none).toEqual({
    token_endpoint_auth_methods_supported: plain,
    revocation_endpoint_auth_methods_supported: plain,
    introspection_endpoint_auth_methods_supported: plain,
  });
  expect(await metadata({ resourceServers: [{ clientId: 'api', clientSecret: 'api-secret' }] })).toEqual({
    ...none,
    introspection_endpoint_auth_methods_supported: [...plain, 'client_secret_basic'],
  });
  expect(await metadata({ resourceServers: resourceServers() })).toEqual({
    ...none,
    introspection_endpoint_auth_methods_supported: [...plain, 'client_secret_basic', 'private_key_jwt'],
    introspection_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['ES256']),
  });
});

describe('what they learn', () => {
  const known = { org_id: 'harbour', roles: ['student'], auth_time: expect.any(Number) };
  const site = () => ({ id: 'harbour', origin: schools.harbour, name: 'Harbour School' });

  test('is what a gateway decides by, and what a client learns of its own token is not', async () => {
    const { body: forGateway } = await introspect(schools.harbour, gateway, token);
    const { body: own } = await introspect(schools.harbour, memberApp, token);
    expect(forGateway).toEqual({ ...own, ...known, site: site() });
    expect(Object.keys(own)).toEqual([
      'active',
      'sub',
      'client_audience',
      'client_id',
      'exp',
      'iat',
      'iss',
      'aud',
      'scope',
      'token_type',
    ]);
  });

  test('has the roles that the person has now', async () => {
    const { roles = [] } = schools.people['harbour']?.['sam'] ?? {};
    Object.assign(schools.people['harbour']?.['sam'] ?? {}, { roles: ['teacher', 'student'] });
    const { body } = await introspect(schools.harbour, gateway, token);
    Object.assign(schools.people['harbour']?.['sam'] ?? {}, { roles });
    expect(body['roles']).toEqual(['teacher', 'student']);
  });

  test('is nothing of a refresh token, which no API takes', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    expect((await introspect(schools.harbour, gateway, body['refresh_token'])).body).toEqual({ active: false });
    expect((await introspect(schools.harbour, memberApp, body['refresh_token'])).body['active']).toBe(true);
  });
});
