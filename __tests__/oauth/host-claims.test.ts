import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { CampusOptions, HostClaims } from '../../lib/index.ts';
import { connect, exchange, getCode, type JsonResponse, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

type Claims = NonNullable<CampusOptions['claims']>;

let claims: Claims;
let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({ campus: { claims: (request) => claims(request) } });
});
beforeEach(() => {
  schools.faults.length = 0;
});
afterAll(() => schools.close());

const idToken = ({ body }: JsonResponse): Record<string, unknown> => decodeJwt(String(body['id_token']));
const connectSam = (scope = 'openid account:read') =>
  connect(schools.browser('sam'), schools.harbour, webMemberApp, { scope });

const plan = { 'https://platform.example/plan': { name: 'pro', seats: [1, null, true] }, 'platform:cohort': '2026' };

describe('claims of the host', () => {
  test.each<[string, Claims]>([
    ['sync', () => plan],
    ['async', async () => plan],
  ])('are in UserInfo and the ID token alike, beside those of the specification: %s', async (_how, given) => {
    claims = given;
    const tokens = await connectSam();
    const { body } = await userinfo(schools.harbour, tokens.body['access_token']);
    expect(body).toEqual({ sub: 'sam', org_id: 'harbour', roles: ['student'], ...plan });
    expect(idToken(tokens)).toMatchObject(body);
    expect(idToken(tokens)).toMatchObject({ iss: schools.harbour, aud: webMemberApp.id, nonce: 'the-nonce' });
  });

  test('are asked for with the school, the member and the scopes of the token: at the exchange and at UserInfo', async () => {
    const asked: Parameters<HostClaims>[0][] = [];
    claims = (request) => {
      asked.push(request);
      return undefined;
    };
    const tokens = await connectSam();
    expect(asked).toHaveLength(1);
    const refreshed = await refresh(schools.harbour, webMemberApp, tokens.body['refresh_token'], { scope: 'openid' });
    expect(asked).toHaveLength(1);
    await userinfo(schools.harbour, refreshed.body['access_token']);
    expect(asked.map(({ site, member, scopes }) => [site.id, member.id, scopes])).toEqual([
      ['harbour', 'sam', ['openid', 'account:read']],
      ['harbour', 'sam', ['openid']],
    ]);
  });

  test('are not asked for without openid', async () => {
    claims = () => {
      throw new Error('must not be called');
    };
    expect((await connectSam('account:read')).status).toBe(200);
    expect(schools.faults).toEqual([]);
  });

  test.each<[string, Claims]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['members that are undefined or null', () => ({ 'platform:plan': undefined, 'platform:cohort': null })],
  ])('%s adds nothing', async (_what, given) => {
    claims = given;
    const tokens = await connectSam();
    const { body } = await userinfo(schools.harbour, tokens.body['access_token']);
    expect(Object.keys(body)).toEqual(['sub', 'org_id', 'roles']);
  });

  test.each(['platform:plan', 'platform.example/plan', 'urn:platform:plan', 'https://platform.example/', 'a:b'])(
    'can be named %s',
    async (name) => {
      claims = () => ({ [name]: 1 });
      const tokens = await connectSam();
      expect(idToken(tokens)[name]).toBe(1);
      expect((await userinfo(schools.harbour, tokens.body['access_token'])).body[name]).toBe(1);
    },
  );
});

/** What only a caller in plain JavaScript can return. */
const wrong =
  (value: unknown): Claims =>
  () =>
    JSON.parse('{}', () => value);
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`platform:${i}`, i]));

const faults: [string, Claims, RegExp][] = [
  ['an array', wrong([1]), /must return an object of claims, not an array/],
  ['a string', wrong('plan'), /must return an object of claims, not a string/],
  ['a map', wrong(new Map()), /not an instance of Map/],
  ['a function', wrong({ 'platform:plan': () => 1 }), /must return JSON, but the claim "platform:plan" has a function/],
  ['a date', wrong({ 'platform:until': [{ at: new Date() }] }), /has an instance of Date/],
  ['a bigint', wrong({ 'platform:seats': 1n }), /has a bigint/],
  ['no number', wrong({ 'platform:seats': Number.NaN }), /has NaN/],
  ['a hole', wrong({ 'platform:seats': [undefined] }), /has undefined/],
  ['eleven levels', wrong({ 'platform:deep': deep(10) }), /has more than 10 levels/],
  ['51 claims', wrong(many), /must return at most 50 claims, not 51/],
  [
    'an error',
    () => {
      throw new Error('database away');
    },
    /database away/,
  ],
  ['a rejection', () => Promise.reject(new Error('database away')), /database away/],
];

describe.each(faults)('%s', (_what, given, cause) => {
  test('is a fault that says so: 503 at both, nothing issued, and the code is not used up', async () => {
    let broken = true;
    claims = (request) => (broken ? given(request) : plan);
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    expectError(await exchange(code), 503, 'temporarily_unavailable');
    expect(schools.faults).toEqual([
      { message: 'claims failed', cause: expect.objectContaining({ message: expect.stringMatching(cause) }) },
    ]);
    broken = false;
    const tokens = await exchange(code);
    expect([tokens.status, idToken(tokens)['platform:cohort']]).toEqual([200, '2026']);
    broken = true;
    const response = await userinfo(schools.harbour, tokens.body['access_token']);
    expectError(response, 503, 'temporarily_unavailable');
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(schools.faults).toHaveLength(2);
  });
});

const notTheHosts = [
  'iss sub aud exp nbf iat jti nonce at_hash c_hash s_hash sid azp acr amr auth_time org_id roles scope client_id cnf _claim_names'.split(
    ' ',
  ),
  ['plan', '', 'platform:', '/plan', 'platform: plan', '平台:plan', 'https:///plan', `platform:${'x'.repeat(192)}`],
  ['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
].flat();

test.each(notTheHosts)('a claim named %p is left out, and a fault says so once', async (name) => {
  const started = await startSchools({ campus: { claims: () => ({ ...plan, ...Object.fromEntries([[name, 'x']]) }) } });
  const tokens = await connect(started.browser('sam'), started.harbour, webMemberApp, { scope: 'openid account:read' });
  const { status, body } = await userinfo(started.harbour, tokens.body['access_token']);
  await userinfo(started.harbour, tokens.body['access_token']);
  await started.close();
  expect([tokens.status, status]).toEqual([200, 200]);
  expect(body).toEqual({ sub: 'sam', org_id: 'harbour', roles: ['student'], ...plan });
  expect(idToken(tokens)).toMatchObject({ ...body, iss: started.harbour, aud: webMemberApp.id, nonce: 'the-nonce' });
  expect(Object.values(idToken(tokens))).not.toContain('x');
  expect(started.faults).toEqual([
    {
      message: expect.stringContaining('which is left out'),
      cause: expect.objectContaining({
        message: expect.stringMatching(
          /must return names of OpenID Connect Core section 5\.1, "groups" or namespaced names/,
        ),
      }),
    },
  ]);
});

test('claims that the host changes afterwards do not change', async () => {
  const kept = { 'platform:list': ['a'] };
  claims = () => kept;
  const tokens = await connectSam();
  kept['platform:list'].push('b');
  expect(idToken(tokens)['platform:list']).toEqual(['a']);
});
