import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../helpers/responses.ts';
import { resetClock, setClockAhead, stopClock } from '../helpers/clock.ts';
import {
  type Changes,
  connect,
  introspect,
  type JsonResponse,
  memberApp,
  refresh,
  reports,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const all = 'openid profile email account:read';

let schools: Schools;
let first: JsonResponse;
beforeEach(async () => {
  schools = await startSchools();
  first = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
});
afterEach(async () => {
  resetClock();
  await schools.close();
});

const again = (token: unknown, changes: Changes = {}, client = webMemberApp): Promise<JsonResponse> =>
  refresh(schools.harbour, client, token, changes);

describe('scope and resource', () => {
  test('a refresh without scope returns all granted scopes, a new refresh token and no ID token', async () => {
    const { status, headers, body } = await again(first.body['refresh_token']);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 7200, scope: all });
    expect(body['refresh_token']).not.toBe(first.body['refresh_token']);
    expect(body['access_token']).not.toBe(first.body['access_token']);
    expect(body).not.toHaveProperty('id_token');
  });

  test('a refresh with fewer scopes returns a token with those, and leaves the grant unchanged', async () => {
    const small = await again(first.body['refresh_token'], { scope: 'openid email' });
    expect(small.body['scope']).toBe('openid email');
    expect((await userinfo(schools.harbour, small.body['access_token'])).body).not.toHaveProperty('name');
    const large = await again(small.body['refresh_token']);
    expect(large.body['scope']).toBe(all);
    expect((await userinfo(schools.harbour, large.body['access_token'])).body).toHaveProperty('name');
  });

  test.each([
    ['one that the client may have and was not asked for', 'openid account:write'],
    ['one of another client', 'openid courses:read'],
    ['one that does not exist', 'openid nonsense'],
    ['one with a forbidden character', 'openid "profile"'],
  ])('another scope, %s, is invalid_scope, and the refresh token stays valid', async (_name, scope) => {
    expectError(await again(first.body['refresh_token'], { scope }), 400, 'invalid_scope');
    expect((await again(first.body['refresh_token'])).body['scope']).toBe(all);
  });

  test.each([
    ['another school', () => schools.summit],
    ['an invalid URI', () => 'school'],
  ])('resource of %s is invalid_target, and the refresh token stays valid', async (_name, resource) => {
    expectError(await again(first.body['refresh_token'], { resource: resource() }), 400, 'invalid_target');
    expect((await again(first.body['refresh_token'])).status).toBe(200);
  });

  test('resource with or without a trailing slash, or omitted, returns a token for the origin', async () => {
    let token = first.body['refresh_token'];
    for (const resource of [schools.harbour, `${schools.harbour}/`, undefined]) {
      const { body } = await again(token, { resource });
      const { body: seen } = await introspect(schools.harbour, webMemberApp, body['access_token']);
      expect(seen).toMatchObject({ active: true, aud: schools.harbour });
      token = body['refresh_token'];
    }
  });
});

describe('errors', () => {
  test.each<[string, Changes, number, string]>([
    ['no refresh_token', { refresh_token: undefined }, 400, 'invalid_request'],
    ['an empty refresh_token', { refresh_token: '' }, 400, 'invalid_request'],
    ['an unknown refresh_token', { refresh_token: 'A'.repeat(43) }, 400, 'invalid_grant'],
    ['no client_id', { client_id: undefined, client_secret: undefined }, 400, 'invalid_request'],
    ['no client_secret', { client_secret: undefined }, 401, 'invalid_client'],
    ['a wrong client_secret', { client_secret: 'guess' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
  ])('%s', async (_name, changes, status, error) => {
    expectError(await again(first.body['refresh_token'], changes), status, error);
    expect((await again(first.body['refresh_token'])).status).toBe(200);
  });

  test('another client’s refresh token is invalid_grant, and stays valid for its own client', async () => {
    for (const client of [memberApp, reports]) {
      expectError(await again(first.body['refresh_token'], {}, client), 400, 'invalid_grant');
    }
    const { status, body } = await again(first.body['refresh_token']);
    expect(status).toBe(200);
    expectError(await again(first.body['refresh_token'], {}, memberApp), 400, 'invalid_grant');
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
  });

  test('a member who lost the role: invalid_grant', async () => {
    delete schools.people['harbour']?.['sam'];
    expectError(await again(first.body['refresh_token']), 400, 'invalid_grant');
  });
});

describe('a refresh token sent again within the grace window', () => {
  test('by the same client for the same scope gets the identical response', async () => {
    const later = stopClock();
    const response = await again(first.body['refresh_token']);
    later(29);
    const second = await again(first.body['refresh_token']);
    expect([second.status, second.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(second.body).toEqual(response.body);
    expect((await again(response.body['refresh_token'])).status).toBe(200);
  });

  test.each<[string, Changes, number, string]>([
    ['for fewer scopes', { scope: 'openid' }, 400, 'invalid_grant'],
    ['for more scopes', { scope: 'openid account:write' }, 400, 'invalid_scope'],
    ['for another school', { resource: 'https://evil.example' }, 400, 'invalid_target'],
    ['with a wrong secret', { client_secret: 'guess' }, 401, 'invalid_client'],
    ['by another client', { client_id: 'member-app', client_secret: undefined }, 400, 'invalid_grant'],
  ])('%s is an error, and revokes nothing', async (_name, changes, status, error) => {
    const response = await again(first.body['refresh_token']);
    expectError(await again(first.body['refresh_token'], changes), status, error);
    expect((await userinfo(schools.harbour, response.body['access_token'])).status).toBe(200);
    expect((await again(response.body['refresh_token'])).status).toBe(200);
  });

  test('after a revocation is invalid_grant', async () => {
    await again(first.body['refresh_token']);
    await fetch(`${schools.harbour}/api/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({
        token: String(first.body['access_token']),
        client_id: webMemberApp.id,
        client_secret: webMemberApp.secret ?? '',
      }),
    });
    expectError(await again(first.body['refresh_token']), 400, 'invalid_grant');
  });

  test('after the member lost the role is invalid_grant', async () => {
    await again(first.body['refresh_token']);
    delete schools.people['harbour']?.['sam'];
    expectError(await again(first.body['refresh_token']), 400, 'invalid_grant');
  });
});

test('a refresh token sent again after the grace window is invalid_grant, and revokes the newest tokens', async () => {
  const response = await again(first.body['refresh_token']);
  setClockAhead(31);
  const reused = await again(first.body['refresh_token']);
  expectError(reused, 400, 'invalid_grant');
  expect(reused.body['error_description']).toContain('refresh only with the newest refresh token');
  expectError(await again(response.body['refresh_token']), 400, 'invalid_grant');
  expectError(await userinfo(schools.harbour, response.body['access_token']), 401, 'invalid_token');
});

test('without a grace window a refresh token sent again is invalid_grant, and revokes the newest tokens', async () => {
  const strict = await startSchools({ campus: { lifetimes: { refreshGrace: 0 } } });
  const { body } = await connect(strict.browser('sam'), strict.harbour, webMemberApp);
  const response = await refresh(strict.harbour, webMemberApp, body['refresh_token']);
  expectError(await refresh(strict.harbour, webMemberApp, body['refresh_token']), 400, 'invalid_grant');
  expectError(await refresh(strict.harbour, webMemberApp, response.body['refresh_token']), 400, 'invalid_grant');
  expectError(await userinfo(strict.harbour, response.body['access_token']), 401, 'invalid_token');
  await strict.close();
});
