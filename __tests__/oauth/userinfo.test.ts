import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { expectError } from '../helpers/responses.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import {
  connect,
  type JsonResponse,
  jsonResponse,
  memberApp,
  refresh,
  reports,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { rawRequest } from '../helpers/raw-http.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeEach(async () => {
  schools = await startSchools();
});
afterEach(async () => {
  resetClock();
  await schools.close();
});

const address = (): string => `${schools.harbour}/api/oauth/userinfo`;
const ask = async (url: string, init: RequestInit = {}): Promise<JsonResponse> => jsonResponse(await fetch(url, init));
const accessToken = async (): Promise<string> =>
  String((await connect(schools.browser('sam'), schools.harbour, webMemberApp)).body['access_token']);

/** A challenge that tells a client where to go on. RFC 6750 section 3, RFC 9728 section 5.1. */
function expectChallenge(response: JsonResponse, status: 401 | 403): void {
  const error = status === 401 ? 'invalid_token' : 'insufficient_scope';
  expectError(response, status, error);
  const challenge = response.headers.get('www-authenticate') ?? '';
  expect(challenge).toMatch(/^Bearer /);
  expect(challenge).toContain(`error="${error}"`);
  expect(challenge).toMatch(status === 401 ? /scope="openid"/ : /scope="[^"]+ openid"/);
  expect(challenge).toContain(`resource_metadata="${schools.harbour}/.well-known/oauth-protected-resource"`);
}

const identity = { sub: 'sam', org_id: 'harbour', roles: ['student'] };
const profile = { name: 'Sam Student', picture: 'https://cdn.example/sam.png' };
const email = { email: 'sam@example.com', email_verified: true };

describe('claims', () => {
  test.each([
    ['openid', identity],
    ['openid profile', { ...identity, ...profile }],
    ['openid email', { ...identity, ...email }],
    ['openid profile email', { ...identity, ...profile, ...email }],
    ['openid account:read account:write', identity],
  ])('for %s are exactly these, and those of the ID token', async (scope, claims) => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp, { scope });
    const response = await userinfo(schools.harbour, body['access_token']);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(response.body).toEqual(claims);
    const { iss: _iss, aud: _aud, exp: _exp, iat: _iat, nonce: _nonce, ...told } = decodeJwt(String(body['id_token']));
    expect(told).toEqual(claims);
  });

  test('follow what the platform knows now', async () => {
    const token = await accessToken();
    Object.assign(schools.people['harbour']?.['sam'] ?? {}, { name: 'Samantha', roles: ['teacher', 'student'] });
    expect((await userinfo(schools.harbour, token)).body).toMatchObject({
      name: 'Samantha',
      roles: ['teacher', 'student'],
    });
  });

  test('that the platform does not know are left out, here and in the ID token', async () => {
    const sam = schools.people['harbour']?.['sam'];
    if (sam) Object.assign(sam, { picture: undefined, emailVerified: undefined });
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const response = await userinfo(schools.harbour, body['access_token']);
    for (const claims of [response.body, decodeJwt(String(body['id_token']))]) {
      expect(Object.keys(claims)).not.toContain('picture');
      expect(Object.keys(claims)).not.toContain('email_verified');
    }
  });

  test('are the same for POST', async () => {
    const headers = { authorization: `Bearer ${await accessToken()}` };
    const [get, post] = await Promise.all([ask(address(), { headers }), ask(address(), { method: 'POST', headers })]);
    expect([post.status, post.body]).toEqual([200, get.body]);
  });

  test('are the same for a scheme in any case', async () => {
    const token = await accessToken();
    for (const scheme of ['bearer', 'BEARER']) {
      expect((await ask(address(), { headers: { authorization: `${scheme} ${token}` } })).status).toBe(200);
    }
  });
});

test('no token: 401 with a challenge', async () => {
  expectChallenge(await ask(address()), 401);
});

test.each([
  'Basic',
  'Bearer',
  'Bearer ',
  'Bearer TOKEN ,',
  'Bearer TOKEN TOKEN',
  'Basic TOKEN',
  'TOKEN',
  'DPoP TOKEN',
  'Bearer=TOKEN',
  'Bearer "TOKEN"',
  'Bearer TOKEN=x',
  'Bearer TOKENx',
  'Bearer xTOKEN',
])('Authorization: %s: 401 with a challenge', async (header) => {
  const authorization = header.replaceAll('TOKEN', await accessToken());
  expectChallenge(await ask(address(), { headers: { authorization } }), 401);
});

test('a token in the address: 401, even beside a good one in the header', async () => {
  const token = await accessToken();
  const url = `${address()}?access_token=${token}`;
  expectChallenge(await ask(url), 401);
  expectChallenge(await ask(url, { headers: { authorization: `Bearer ${token}` } }), 401);
});

test('a token in a form: 401', async () => {
  const body = new URLSearchParams({ access_token: await accessToken() });
  expectChallenge(await ask(address(), { method: 'POST', body }), 401);
});

test('two Authorization headers: 401, whichever is good', async () => {
  const token = await accessToken();
  const { host, port } = new URL(schools.harbour);
  for (const [first, second] of [
    [token, 'other'],
    ['other', token],
    [token, token],
  ]) {
    const response = await rawRequest(Number(port), [
      'GET /api/oauth/userinfo HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${first}`,
      `Authorization: Bearer ${second}`,
      'Connection: close',
    ]);
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
    expect(response).toContain('"error":"invalid_token"');
  }
});

interface Tokens {
  readonly access: unknown;
  readonly refresh: unknown;
  readonly id: unknown;
}

test.each<[string, (tokens: Tokens) => unknown]>([
  ['an unknown token', () => 'A'.repeat(43)],
  ['a refresh token', (tokens) => tokens.refresh],
  ['an ID token', (tokens) => tokens.id],
  ['an expired token', ({ access }) => (setClockAhead(7201), access)],
  ['a token of a member without roles', ({ access }) => (rolesOf('sam', []), access)],
  ['a token of a member who is gone', ({ access }) => (delete schools.people['harbour']?.['sam'], access)],
])('%s: 401 with a challenge', async (_name, token) => {
  const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  const tokens = { access: body['access_token'], refresh: body['refresh_token'], id: body['id_token'] };
  expect((await userinfo(schools.harbour, tokens.access)).status).toBe(200);
  expectChallenge(await userinfo(schools.harbour, token(tokens)), 401);
});

function rolesOf(person: string, roles: string[]): void {
  Object.assign(schools.people['harbour']?.[person] ?? {}, { roles });
}

test('a token of another school: 401 with a challenge', async () => {
  const { body } = await connect(schools.browser('sam'), schools.summit, webMemberApp);
  expectChallenge(await userinfo(schools.harbour, body['access_token']), 401);
});

test('an operator’s token is 401 while its owner is no operator, and good again after that', async () => {
  const { body } = await connect(schools.browser('olivia'), schools.harbour, reports);
  const member = await connect(schools.browser('olivia'), schools.harbour, memberApp);
  rolesOf('olivia', ['student']);
  expectChallenge(await userinfo(schools.harbour, body['access_token']), 401);
  expect((await userinfo(schools.harbour, member.body['access_token'])).status).toBe(200);
  rolesOf('olivia', ['admin']);
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
});

test('a token without openid: 403 with a challenge', async () => {
  const scope = 'profile account:read';
  const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp, { scope, nonce: undefined });
  expectChallenge(await userinfo(schools.harbour, body['access_token']), 403);
});

test('a token that was refreshed without openid: 403 with a challenge', async () => {
  const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  const narrowed = await refresh(schools.harbour, webMemberApp, body['refresh_token'], { scope: 'profile' });
  expectChallenge(await userinfo(schools.harbour, narrowed.body['access_token']), 403);
});
