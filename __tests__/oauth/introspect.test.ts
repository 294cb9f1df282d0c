import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Site } from '../../lib/index.ts';
import { expectError } from '../helpers/responses.ts';
import {
  type Changes,
  clientFields,
  connect,
  getCode,
  introspect,
  type JsonResponse,
  memberApp,
  postForm,
  reports,
  type TestClient,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

const gateway: TestClient = { id: 'gateway', redirectUri: '', secret: 'gateway-secret', scope: '' };
const inactive = { active: false };

const giveRoles = (...roles: string[]) => Object.assign(schools.people['harbour']?.['sam'] ?? {}, { roles });
const ask = (site: Site, roles: readonly string[] | undefined) =>
  schools.campus.apps.set(site, { clientId: memberApp.id }, { access: 'allowed', roles });

let schools: Schools;
let tokens: JsonResponse;
beforeEach(async () => {
  schools = await startSchools();
  tokens = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
});
afterEach(() => schools.close());

test.each([webMemberApp, memberApp])('$id introspects its own access token', async (client) => {
  const before = Math.floor(Date.now() / 1000);
  const { body: own } = await connect(schools.browser('sam'), schools.harbour, client);
  const after = Date.now() / 1000;
  const { status, headers, body } = await introspect(schools.harbour, client, own['access_token']);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toMatchObject({
    active: true,
    iss: schools.harbour,
    aud: schools.harbour,
    sub: 'sam',
    client_id: client.id,
    scope: client.scope,
    token_type: 'Bearer',
  });
  expect(Number(body['exp']) - Number(body['iat'])).toBe(7200);
  expect(body['iat']).toBeGreaterThanOrEqual(before);
  expect(body['iat']).toBeLessThanOrEqual(after);
  expect(JSON.stringify(body)).not.toContain(String(own['access_token']));
});

test.each([webMemberApp, memberApp])('$id introspects its own refresh token', async (client) => {
  const { body: own } = await connect(schools.browser('sam'), schools.harbour, client);
  const { body } = await introspect(schools.harbour, client, own['refresh_token']);
  expect(body).toMatchObject({ active: true, iss: schools.harbour, sub: 'sam', client_id: client.id });
  expect(body).not.toHaveProperty('token_type');
  expect(JSON.stringify(body)).not.toContain(String(own['refresh_token']));
});

test('the aud of a refresh token is the origin too', async () => {
  const { body } = await introspect(schools.harbour, webMemberApp, tokens.body['refresh_token']);
  expect(body['aud']).toBe(schools.harbour);
});

test.each([memberApp, reports])('for $id another client’s tokens are inactive', async (client) => {
  for (const name of ['access_token', 'refresh_token']) {
    const { status, body } = await introspect(schools.harbour, client, tokens.body[name]);
    expect([status, body]).toEqual([200, inactive]);
  }
});

test('a resource server introspects every token of its school', async () => {
  const report = await connect(schools.browser('olivia'), schools.harbour, reports);
  const own = await connect(schools.browser('sam'), schools.harbour, memberApp);
  for (const [response, client] of [
    [tokens, webMemberApp],
    [report, reports],
    [own, memberApp],
  ] as const) {
    const { body } = await introspect(schools.harbour, gateway, response.body['access_token']);
    expect(body).toMatchObject({ active: true, aud: schools.harbour, client_id: client.id });
  }
});

test('an introspection response does not contain the token', async () => {
  const { body } = await introspect(schools.harbour, webMemberApp, tokens.body['refresh_token']);
  expect(JSON.stringify(body)).not.toContain(String(tokens.body['refresh_token']));
});

test.each<[string, (schools: Schools) => void]>([
  ['has lost all roles', ({ people }) => Object.assign(people['harbour']?.['sam'] ?? {}, { roles: [] })],
  ['was removed', ({ people }) => void delete people['harbour']?.['sam']],
])('tokens of a member who %s are inactive, for the client and for a resource server', async (_name, change) => {
  change(schools);
  for (const client of [webMemberApp, gateway]) {
    for (const name of ['access_token', 'refresh_token']) {
      expect((await introspect(schools.harbour, client, tokens.body[name])).body).toEqual(inactive);
    }
  }
});

test.each<[string, boolean, (site: Site) => unknown]>([
  ['the member has the role that the rule asks for', true, () => undefined],
  ['the member has lost that role', false, () => giveRoles('teacher')],
  ['the rule asks for another role', false, (site) => ask(site, ['teacher'])],
  ['the rule asks for no role', true, (site) => ask(site, undefined)],
  [
    'the school has blocked the client',
    false,
    (site) => schools.campus.apps.set(site, { clientId: memberApp.id }, { access: 'blocked' }),
  ],
  ['the member has ended the connection', false, (site) => schools.campus.connections.revokeAll(site, 'sam')],
])('introspection says of an access token what verification says: %s', async (_name, active, change) => {
  const site = harbourSite(schools.harbour);
  await ask(site, ['student']);
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
  await change(site);
  const token = String(body['access_token']);
  const verified = await Promise.allSettled([schools.campus.verify(site, token)]);
  expect(verified.map(({ status }) => status)).toEqual([active ? 'fulfilled' : 'rejected']);
  for (const client of [memberApp, gateway]) {
    expect((await introspect(schools.harbour, client, token)).body['active']).toBe(active);
  }
});

test('tokens of an operator client are inactive once the member is not an operator', async () => {
  const { body } = await connect(schools.browser('olivia'), schools.harbour, reports);
  expect((await introspect(schools.harbour, reports, body['access_token'])).body['active']).toBe(true);
  Object.assign(schools.people['harbour']?.['olivia'] ?? {}, { roles: ['teacher'] });
  for (const client of [reports, gateway]) {
    expect((await introspect(schools.harbour, client, body['access_token'])).body).toEqual(inactive);
  }
});

test.each([undefined, 'access_token', 'refresh_token', 'nonsense'])(
  'token_type_hint=%s changes nothing',
  async (hint) => {
    for (const name of ['access_token', 'refresh_token']) {
      const fields = { token: String(tokens.body[name]), token_type_hint: hint, ...clientFields(webMemberApp) };
      expect((await postForm(`${schools.harbour}/api/oauth/introspect`, fields)).body['active']).toBe(true);
    }
  },
);

test.each([
  ['an unknown token', 'A'.repeat(43)],
  ['control characters', ' \u0000é"<>\n'],
  ['a very long token', 'a'.repeat(10_000)],
  ['the token __proto__', '__proto__'],
])('%s is inactive', async (_name, token) => {
  const { status, headers, body } = await introspect(schools.harbour, webMemberApp, token);
  expect([status, headers.get('cache-control'), body]).toEqual([200, 'no-store', inactive]);
});

test.each([
  ['an ID token', () => String(tokens.body['id_token'])],
  ['an unsigned JWT', () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJzYW0ifQ.'],
  ['an encrypted JWT', () => 'eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.a.b.c.d'],
  ['dots', () => 'a.b.c'],
])('%s is inactive, with any hint: RFC 7662 section 2.2', async (_name, token) => {
  for (const hint of [undefined, 'access_token', 'id_token']) {
    const fields = { token: token(), token_type_hint: hint, ...clientFields(webMemberApp) };
    const { status, body } = await postForm(`${schools.harbour}/api/oauth/introspect`, fields);
    expect([status, body]).toEqual([200, inactive]);
  }
});

test('an ID token of an unauthenticated client is invalid_client', async () => {
  const fields = { token: String(tokens.body['id_token']), client_id: webMemberApp.id, client_secret: 'guess' };
  expectError(await postForm(`${schools.harbour}/api/oauth/introspect`, fields), 401, 'invalid_client');
});

test('a code is inactive', async () => {
  const { code } = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
  for (const client of [webMemberApp, gateway]) {
    expect((await introspect(schools.harbour, client, code)).body).toEqual(inactive);
  }
});

test('a redeemed refresh token is inactive', async () => {
  const strict = await startSchools({ campus: { lifetimes: { refreshGrace: 0 } } });
  const { body } = await connect(strict.browser('sam'), strict.harbour, webMemberApp);
  await postForm(`${strict.harbour}/api/oauth/token`, {
    grant_type: 'refresh_token',
    refresh_token: String(body['refresh_token']),
    ...clientFields(webMemberApp),
  });
  const response = await introspect(strict.harbour, webMemberApp, body['refresh_token']);
  await strict.close();
  expect(response.body).toEqual(inactive);
});

test.each<[string, Changes, number, string]>([
  ['no token', { token: undefined }, 400, 'invalid_request'],
  ['an empty token', { token: '' }, 400, 'invalid_request'],
  ['no client', { client_id: undefined, client_secret: undefined }, 400, 'invalid_request'],
  ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
  ['no secret', { client_secret: undefined }, 401, 'invalid_client'],
  ['a wrong secret', { client_secret: 'guess' }, 401, 'invalid_client'],
  ['the id of a resource server alone', { client_id: 'gateway', client_secret: undefined }, 401, 'invalid_client'],
])('%s is an error that reveals nothing about the token', async (_name, changes, status, error) => {
  const fields = { token: String(tokens.body['access_token']), ...clientFields(webMemberApp), ...changes };
  const response = await postForm(`${schools.harbour}/api/oauth/introspect`, fields);
  expectError(response, status, error);
  expect(response.body).not.toHaveProperty('active');
});
