import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectError, redirectQuery } from '../helpers/responses.ts';
import {
  authorizeUrl,
  type Changes,
  connect,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  memberApp,
  pkce,
  refresh,
  reports,
  revokeToken,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
let tokens: JsonResponse;
beforeEach(async () => {
  schools = await startSchools();
  tokens = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
});
afterEach(() => schools.close());

const revoke = (client: TestClient, token: unknown, changes: Changes = {}): Promise<JsonResponse> =>
  revokeToken(schools.harbour, client, token, changes);

async function expectAlive({ body }: JsonResponse, client: TestClient): Promise<void> {
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
  expect((await introspect(schools.harbour, client, body['refresh_token'])).body['active']).toBe(true);
}

async function expectDead({ body }: JsonResponse, client: TestClient): Promise<void> {
  expectError(await userinfo(schools.harbour, body['access_token']), 401, 'invalid_token');
  for (const name of ['access_token', 'refresh_token']) {
    expect((await introspect(schools.harbour, client, body[name])).body).toEqual({ active: false });
  }
  expectError(await refresh(schools.harbour, client, body['refresh_token']), 400, 'invalid_grant');
}

const withHint = (token: string, hint: string | undefined): [string, string, Changes] => [
  token,
  hint ?? 'no',
  { token_type_hint: hint },
];

test.each(
  ['access_token', 'refresh_token'].flatMap((token) =>
    [undefined, 'access_token', 'refresh_token', 'id_token', 'nonsense'].map((hint) => withHint(token, hint)),
  ),
)(
  'revoking the %s with token_type_hint %s is 200 and ends all tokens of its authorization at once, and no others',
  async (name, _hint, changes) => {
    const second = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    const response = await revoke(webMemberApp, tokens.body[name], changes);
    expect([response.status, response.headers.get('cache-control'), response.body]).toEqual([200, 'no-store', {}]);
    await expectDead(tokens, webMemberApp);
    await expectAlive(second, webMemberApp);
    expect((await exchange(code)).status).toBe(200);
  },
);

test('a revocation of the last tokens removes the grant: the person must consent again', async () => {
  const proof = pkce();
  const silently = authorizeUrl(schools.harbour, webMemberApp, proof, { prompt: 'none' });
  const ask = async () => redirectQuery(await schools.browser('sam').fetch(silently), webMemberApp.redirectUri);
  const second = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  await revoke(webMemberApp, tokens.body['access_token']);
  const { code = '' } = await ask();
  const third = await exchange({ origin: schools.harbour, client: webMemberApp, code, verifier: proof.verifier });
  expect(third.status).toBe(200);
  for (const { body } of [second, third]) await revoke(webMemberApp, body['refresh_token']);
  expect((await ask())['error']).toBe('consent_required');
});

test('a revocation revokes refreshed tokens too', async () => {
  const refreshed = await refresh(schools.harbour, webMemberApp, tokens.body['refresh_token']);
  await revoke(webMemberApp, tokens.body['access_token']);
  await expectDead(refreshed, webMemberApp);
});

test('revoking a redeemed refresh token revokes those issued for it too', async () => {
  const refreshed = await refresh(schools.harbour, webMemberApp, tokens.body['refresh_token']);
  expect((await revoke(webMemberApp, tokens.body['refresh_token'])).status).toBe(200);
  await expectDead(refreshed, webMemberApp);
});

test('a revocation does not affect other members, other clients and other schools', async () => {
  const olivia = await connect(schools.browser('olivia'), schools.harbour, webMemberApp);
  const other = await connect(schools.browser('sam'), schools.harbour, memberApp);
  const there = await connect(schools.browser('sam'), schools.summit, webMemberApp);
  await revoke(webMemberApp, tokens.body['access_token']);
  await expectAlive(olivia, webMemberApp);
  await expectAlive(other, memberApp);
  expect((await userinfo(schools.summit, there.body['access_token'])).status).toBe(200);
});

test('a public client revokes its own token with only its client_id', async () => {
  const own = await connect(schools.browser('sam'), schools.harbour, memberApp);
  expect((await revoke(memberApp, own.body['access_token'])).status).toBe(200);
  await expectDead(own, memberApp);
  await expectAlive(tokens, webMemberApp);
});

describe('a token of another client', () => {
  test.each([memberApp, reports])('is not revoked by $id: invalid_grant', async (client) => {
    for (const name of ['access_token', 'refresh_token']) {
      expectError(await revoke(client, tokens.body[name]), 400, 'invalid_grant');
    }
    await expectAlive(tokens, webMemberApp);
  });
});

test.each([
  ['an unknown token', 'A'.repeat(43)],
  ['control characters', ' \u0000é"<>\n'],
  ['a very long token', 'a'.repeat(10_000)],
  ['the token __proto__', '__proto__'],
])('%s is 200', async (_name, token) => {
  expect((await revoke(webMemberApp, token)).status).toBe(200);
  await expectAlive(tokens, webMemberApp);
});

test('a token that is already revoked is 200', async () => {
  await revoke(webMemberApp, tokens.body['access_token']);
  expect((await revoke(webMemberApp, tokens.body['access_token'])).status).toBe(200);
});

test('a code is 200', async () => {
  const { code } = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
  expect((await revoke(webMemberApp, code)).status).toBe(200);
});

test.each<[string, Changes, number, string]>([
  ['no token', { token: undefined }, 400, 'invalid_request'],
  ['an empty token', { token: '' }, 400, 'invalid_request'],
  ['no client', { client_id: undefined, client_secret: undefined }, 400, 'invalid_request'],
  ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
  ['no secret', { client_secret: undefined }, 401, 'invalid_client'],
  ['a wrong secret', { client_secret: 'guess' }, 401, 'invalid_client'],
])('%s is an error, and revokes nothing', async (_name, changes, status, error) => {
  expectError(await revoke(webMemberApp, tokens.body['access_token'], changes), status, error);
  await expectAlive(tokens, webMemberApp);
});

test.each([
  ['an ID token', () => String(tokens.body['id_token'])],
  ['an unsigned JWT', () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJzYW0ifQ.'],
])('%s is 200, and revokes nothing: RFC 7009 section 2.2', async (_name, token) => {
  for (const hint of [undefined, 'access_token', 'id_token']) {
    expect((await revoke(webMemberApp, token(), { token_type_hint: hint })).status).toBe(200);
  }
  await expectAlive(tokens, webMemberApp);
});

test('an ID token with a wrong secret is invalid_client', async () => {
  const response = await revoke(webMemberApp, tokens.body['id_token'], { client_secret: 'guess' });
  expectError(response, 401, 'invalid_client');
});
