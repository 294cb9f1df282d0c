import { afterEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { HostClaims, Member } from '../../lib/index.ts';
import {
  authorizeUrl,
  type Changes,
  connect,
  exchange,
  getCode,
  pkce,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
afterEach(() => schools.close());

async function start(change: Partial<Member>, claims?: HostClaims): Promise<void> {
  schools = await startSchools({ campus: { claims, logout: { endSession: () => undefined } } });
  schools.people['harbour'] = {
    sam: { id: 'sam', roles: ['student'], name: 'Sam', email: 'sam@example.com', ...change },
  };
}

const roles = (count: number): string[] => Array.from({ length: count }, (_, i) => `teacher-of-class-${i}`);

const signIn = () => connect(schools.browser('sam'), schools.harbour, webMemberApp);
const causes = () => schools.faults.map(({ message, cause }) => [message, String(cause)]);

describe('a hint', () => {
  const request = (changes: Changes): URL => authorizeUrl(schools.harbour, webMemberApp, pkce(), changes);

  test.each([130, 165])(
    'of somebody with %d roles works by GET and POST, at authorization and at sign-out',
    async (count) => {
      await start({ roles: roles(count) });
      const hint = String((await signIn()).body['id_token']);
      expect(hint.length).toBeGreaterThan(4000);
      expect(hint.length).toBeLessThanOrEqual(6000);
      // With a state that is long as well.
      const url = request({ id_token_hint: hint, prompt: 'none', state: 's'.repeat(1900) });
      const byGet = await schools.browser('sam').follow(url);
      expect(byGet.url.searchParams.get('code')).not.toBeNull();
      const byPost = await schools
        .browser('sam')
        .follow(new URL(url.pathname, url), { method: 'POST', body: new URLSearchParams(url.search) });
      expect(byPost.url.searchParams.get('code')).not.toBeNull();
      const logout = new URL('/oauth/logout', schools.harbour);
      const fields = new URLSearchParams({ id_token_hint: hint });
      const asked = await schools.browser('sam').follow(new URL(`?${fields.toString()}`, logout));
      expect([asked.response.status, asked.url.search]).toEqual([200, `?client_id=${webMemberApp.id}`]);
      const posted = await schools.browser('sam').follow(logout, { method: 'POST', body: fields });
      expect([posted.response.status, posted.url.search]).toEqual([200, `?client_id=${webMemberApp.id}`]);
      expect(schools.faults).toEqual([]);
    },
  );

  test('leaves 8,192 characters to the rest of a query', async () => {
    await start({});
    const query = await schools
      .browser('sam')
      .follow(request({ id_token_hint: 'x'.repeat(6000), state: 's'.repeat(8192) }));
    expect(query.response.status).toBe(400);
  });
});

describe('an ID token that would be longer than 6,000 characters', () => {
  test('has none of the host’s own claims that do not fit, the largest first; UserInfo has them', async () => {
    const claims = { 'school:a': 'a'.repeat(900), 'school:b': 'b'.repeat(1500), 'school:c': 'c'.repeat(100) };
    await start({ roles: roles(110) }, () => claims);
    const { status, body } = await signIn();
    expect(status).toBe(200);
    const idToken = String(body['id_token']);
    expect(idToken.length).toBeLessThanOrEqual(6000);
    const payload = decodeJwt(idToken);
    expect([payload['school:a'], payload['school:b'], payload['school:c']]).toEqual([
      claims['school:a'],
      undefined,
      claims['school:c'],
    ]);
    expect(payload['roles']).toHaveLength(110);
    expect((await userinfo(schools.harbour, body['access_token'])).body).toMatchObject(claims);
    expect(causes()).toEqual([
      [
        'an ID token is too long',
        expect.stringMatching(
          /^Error: the ID token of the member "sam" would have \d{4} characters and may have 6000; the claim "school:b" with 1502 bytes is left out$/,
        ),
      ],
    ]);
    await signIn();
    expect(schools.faults).toHaveLength(1);
  });

  test('has no picture or name that is too long itself, for a person who is complete otherwise', async () => {
    await start({ name: 'S'.repeat(6000), picture: `https://cdn.example/${'p'.repeat(100)}` });
    const { status, body } = await signIn();
    expect(status).toBe(200);
    const { name, picture, email } = decodeJwt(String(body['id_token']));
    expect([name, picture, email]).toEqual([undefined, `https://cdn.example/${'p'.repeat(100)}`, 'sam@example.com']);
    expect(causes()).toEqual([
      ['an ID token is too long', expect.stringContaining('the claim "name" with 6002 bytes is left out')],
    ]);
  });

  test('is not issued if roles alone are too long: 503, a fault that names them, and the code stays good', async () => {
    await start({ roles: roles(300) }, () => ({ 'school:a': 'a' }));
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    expectError(await exchange(code), 503, 'temporarily_unavailable');
    expect(causes().at(-1)).toEqual([
      'issuing an ID token failed',
      expect.stringMatching(
        /the member "sam" .* the claim "roles" with \d{4} bytes is too long; return fewer or shorter roles from findMember$/,
      ),
    ]);
    schools.people['harbour'] = { sam: { id: 'sam', roles: ['student'] } };
    expect((await exchange(code)).status).toBe(200);
  });
});

test('claims of more than 4,096 bytes lose the largest, in UserInfo too, and nobody is locked out', async () => {
  await start({}, () => ({ 'school:long': '漢'.repeat(1400), 'school:plan': 'pro' }));
  const { status, body } = await signIn();
  expect(status).toBe(200);
  const told = await userinfo(schools.harbour, body['access_token']);
  expect(told.body['school:plan']).toBe('pro');
  expect(told.body).not.toHaveProperty('school:long');
  expect(causes()).toEqual([
    [
      'claims returned too much',
      expect.stringContaining('for the member "sam"; "school:long" with 4202 bytes is left out'),
    ],
  ]);
});
