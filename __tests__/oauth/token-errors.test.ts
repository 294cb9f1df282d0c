import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { resetClock, setClockAhead, stopClock } from '../helpers/clock.ts';
import { expectError } from '../helpers/responses.ts';
import {
  type Changes,
  clientFields,
  type Code,
  exchange,
  getCode,
  memberApp,
  pkce,
  refresh,
  reports,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools();
});
afterAll(() => schools.close());
afterEach(resetClock);

interface Row {
  readonly call: string;
  readonly changes: Changes;
  readonly status?: number;
  readonly error: string;
}

/** For public and confidential clients. */
const wrong: Row[] = [
  { call: 'no grant_type', changes: { grant_type: undefined }, error: 'invalid_request' },
  ...['client_credentials', 'password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code', '__proto__'].map(
    (value) => ({ call: `grant_type=${value}`, changes: { grant_type: value }, error: 'unsupported_grant_type' }),
  ),
  { call: 'no code', changes: { code: undefined }, error: 'invalid_request' },
  { call: 'an empty code', changes: { code: '' }, error: 'invalid_request' },
  { call: 'an unknown code', changes: { code: 'A'.repeat(43) }, error: 'invalid_grant' },
  { call: 'a code with control characters', changes: { code: ' \u0000é"<>\n' }, error: 'invalid_grant' },
  { call: 'a very long code', changes: { code: 'a'.repeat(10_000) }, error: 'invalid_grant' },
  { call: 'no code_verifier', changes: { code_verifier: undefined }, error: 'invalid_grant' },
  { call: 'an empty code_verifier', changes: { code_verifier: '' }, error: 'invalid_grant' },
  { call: 'another code_verifier', changes: { code_verifier: pkce().verifier }, error: 'invalid_grant' },
  { call: 'a short code_verifier', changes: { code_verifier: 'abc' }, error: 'invalid_request' },
  {
    call: 'no redirect_uri and an unknown code',
    changes: { redirect_uri: undefined, code: 'A'.repeat(43) },
    error: 'invalid_grant',
  },
  {
    call: 'a redirect_uri in capitals',
    changes: { redirect_uri: 'HTTPS://BUDDY.example/callback' },
    error: 'invalid_grant',
  },
  { call: 'a foreign redirect_uri', changes: { redirect_uri: 'https://evil.example/' }, error: 'invalid_grant' },
  { call: 'no client_id', changes: { client_id: undefined, client_secret: undefined }, error: 'invalid_request' },
  { call: 'an unknown client_id', changes: { client_id: 'nobody' }, status: 401, error: 'invalid_client' },
  { call: 'client_id=__proto__', changes: { client_id: '__proto__' }, status: 401, error: 'invalid_client' },
  { call: 'another school as resource', changes: { resource: 'https://evil.example' }, error: 'invalid_target' },
  { call: 'a resource that is not a URI', changes: { resource: 'school' }, error: 'invalid_target' },
  { call: 'no resource', changes: { resource: undefined }, error: 'invalid_target' },
];

const ofPublic: Row[] = [
  { call: 'a client_secret', changes: { client_secret: 'any' }, status: 401, error: 'invalid_client' },
  { call: 'another port', changes: { redirect_uri: 'http://127.0.0.1:49153/callback' }, error: 'invalid_grant' },
  { call: 'no port', changes: { redirect_uri: 'http://127.0.0.1/callback' }, error: 'invalid_grant' },
];

const ofConfidential: Row[] = [
  { call: 'no client_secret', changes: { client_secret: undefined }, status: 401, error: 'invalid_client' },
  { call: 'an empty client_secret', changes: { client_secret: '' }, status: 401, error: 'invalid_client' },
  { call: 'a wrong client_secret', changes: { client_secret: 'guess' }, status: 401, error: 'invalid_client' },
  { call: 'the secret and more', changes: { client_secret: 'buddy-secret2' }, status: 401, error: 'invalid_client' },
  {
    call: 'another client’s secret',
    changes: { client_secret: 'reports-secret' },
    status: 401,
    error: 'invalid_client',
  },
  {
    call: 'its other redirect_uri',
    changes: { redirect_uri: 'https://buddy.example/other' },
    error: 'invalid_grant',
  },
];

describe.each([
  { client: memberApp, rows: [...wrong, ...ofPublic] },
  { client: webMemberApp, rows: [...wrong, ...ofConfidential] },
])('$client.id', ({ client, rows }) => {
  let code: Code;
  beforeAll(async () => {
    code = await getCode(schools.browser('sam'), schools.harbour, client);
  });

  test.each(rows)('$call: $error', async ({ changes, status = 400, error }) => {
    expectError(await exchange(code, changes), status, error);
  });

  test('after all of these errors the code is still valid', async () => {
    const { status, body } = await exchange(code);
    expect(status).toBe(200);
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
  });
});

describe('a code of another client', () => {
  let victim: Code;
  beforeEach(async () => {
    victim = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
  });

  test.each([
    ['a public client', { client: memberApp }],
    ['a confidential client', { client: reports }],
  ])('sent by %s is invalid_grant, and stays valid for its own client', async (_name, { client }) => {
    expectError(await exchange({ ...victim, client }), 400, 'invalid_grant');
    expectError(
      await exchange({ ...victim, client }, { redirect_uri: victim.client.redirectUri }),
      400,
      'invalid_grant',
    );
    expect((await exchange(victim)).status).toBe(200);
  });

  test('sent after its redemption does not revoke the issued tokens', async () => {
    const { body } = await exchange(victim);
    expectError(await exchange({ ...victim, client: memberApp }), 400, 'invalid_grant');
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
    expect((await refresh(schools.harbour, webMemberApp, body['refresh_token'])).status).toBe(200);
  });

  test('a refresh token sent as code, and a code sent as refresh_token, are invalid_grant', async () => {
    expectError(await refresh(schools.harbour, webMemberApp, victim.code), 400, 'invalid_grant');
    const { body } = await exchange(victim);
    expectError(await exchange({ ...victim, code: String(body['refresh_token']) }), 400, 'invalid_grant');
    expectError(await exchange({ ...victim, code: String(body['access_token']) }), 400, 'invalid_grant');
    expectError(await refresh(schools.harbour, webMemberApp, body['access_token']), 400, 'invalid_grant');
  });
});

describe.each([memberApp, webMemberApp])('a code of $id used twice', (client) => {
  test('is invalid_grant, and revokes the tokens issued for it', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, client);
    const { body } = await exchange(code);
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
    setClockAhead(3);
    expectError(await exchange(code), 400, 'invalid_grant');
    expectError(await userinfo(schools.harbour, body['access_token']), 401, 'invalid_token');
    expectError(await refresh(schools.harbour, client, body['refresh_token']), 400, 'invalid_grant');
    expectError(await exchange(code), 400, 'invalid_grant');
  });

  test('after a refresh is invalid_grant, and revokes the newest tokens', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, client);
    const first = await exchange(code);
    const { body } = await refresh(schools.harbour, client, first.body['refresh_token']);
    setClockAhead(3);
    expectError(await exchange(code), 400, 'invalid_grant');
    expectError(await userinfo(schools.harbour, body['access_token']), 401, 'invalid_token');
    expectError(await refresh(schools.harbour, client, body['refresh_token']), 400, 'invalid_grant');
  });

  test.each([0, 3])(
    'with a wrong client or code_verifier %i s later does not revoke the issued tokens',
    async (later) => {
      const code = await getCode(schools.browser('sam'), schools.harbour, client);
      const { body } = await exchange(code);
      setClockAhead(later);
      expectError(await exchange(code, { code_verifier: pkce().verifier }), 400, 'invalid_grant');
      expectError(await exchange(code, clientFields(reports)), 400, 'invalid_grant');
      expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
    },
  );

  test('at the same moment is invalid_grant, and revokes nothing', async () => {
    stopClock();
    const code = await getCode(schools.browser('sam'), schools.harbour, client);
    const { body } = await exchange(code);
    expectError(await exchange(code), 400, 'invalid_grant');
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
    expect((await refresh(schools.harbour, client, body['refresh_token'])).status).toBe(200);
  });
});

test('error_description names the valid grant_type values, and what to do about a scope that was not granted', async () => {
  const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
  const password = await exchange(code, { grant_type: 'password' });
  expect(password.body['error_description']).toBe('grant_type must be authorization_code or refresh_token');
  const { body } = await exchange(code);
  for (const scope of ['openid account:write', 'openid account:write nonsense']) {
    const response = await refresh(schools.harbour, webMemberApp, body['refresh_token'], { scope });
    expectError(response, 400, 'invalid_scope');
    expect(response.body['error_description']).toMatch(/^scope must not exceed .*; send fewer scopes or none/);
  }
});

test('an operator client may omit resource at the code exchange', async () => {
  const code = await getCode(schools.browser('olivia'), schools.harbour, reports);
  expect((await exchange(code, { resource: undefined })).status).toBe(200);
});

test('a member who lost the role before the code exchange: invalid_grant', async () => {
  const { people, harbour } = schools;
  const code = await getCode(schools.browser('sam'), harbour, webMemberApp);
  const { sam, ...others } = people['harbour'] ?? {};
  Object.assign(people, { harbour: others });
  const response = await exchange(code);
  Object.assign(people, { harbour: { ...others, sam } });
  expectError(response, 400, 'invalid_grant');
});
