import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decisionsOn } from '../helpers/browser.ts';
import { expectWords, redirectQuery } from '../helpers/responses.ts';
import {
  authorizeUrl,
  type Changes,
  memberApp,
  pkce,
  reports,
  type TestClient,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools();
});
afterAll(() => schools.close());

const { challenge } = pkce();

interface Row {
  readonly call: string;
  readonly changes: Changes;
  readonly error: string;
  readonly client?: TestClient;
}

const wrongChallenges: Row[] = [
  ['no code_challenge', undefined],
  ['an empty code_challenge', ''],
  ['a code_challenge of 42 characters', challenge.slice(1)],
  ['a code_challenge of 44 characters', `${challenge}a`],
  ['a code_challenge of 129 characters', 'a'.repeat(129)],
  ['a code_challenge with padding', `${challenge.slice(1)}=`],
  ['a code_challenge in base64 that is not base64url', `${challenge.slice(2)}+/`],
  ['a code_challenge with a line break', `${challenge.slice(1)}\n`],
].map(([call = '', value]) => ({ call, changes: { code_challenge: value }, error: 'invalid_request' }));

const wrongMethods: Row[] = [
  ['no code_challenge_method', undefined],
  ['code_challenge_method=plain', 'plain'],
  ['code_challenge_method in lower case', 's256'],
  ['an unknown code_challenge_method', 'S512'],
].map(([call = '', value]) => ({ call, changes: { code_challenge_method: value }, error: 'invalid_request' }));

const noPkce: Changes = { code_challenge: undefined, code_challenge_method: undefined };

const rows: Row[] = [
  ...wrongChallenges,
  ...wrongMethods,
  { call: 'no PKCE of a public client', changes: noPkce, error: 'invalid_request' },
  { call: 'no PKCE of a confidential client', changes: noPkce, error: 'invalid_request', client: webMemberApp },
  { call: 'an unknown scope', changes: { scope: 'openid courses:destroy' }, error: 'invalid_scope' },
  { call: 'a scope in another case', changes: { scope: 'openid Account:Read' }, error: 'invalid_scope' },
  { call: 'a scope that is a name of every object', changes: { scope: 'openid constructor' }, error: 'invalid_scope' },
  { call: 'a scope with a forbidden character', changes: { scope: 'openid "profile"' }, error: 'invalid_scope' },
  { call: 'a scope beyond the client', changes: { scope: 'openid courses:read' }, error: 'invalid_scope' },
  {
    call: 'account:read of an operator client',
    changes: { scope: 'openid account:read' },
    error: 'invalid_scope',
    client: reports,
  },
  { call: 'no response_type', changes: { response_type: undefined }, error: 'invalid_request' },
  ...['none', 'CODE', 'constructor'].map((value) => ({
    call: `response_type=${value}`,
    changes: { response_type: value },
    error: 'unsupported_response_type',
  })),
  { call: 'request', changes: { request: 'eyJhbGciOiJub25lIn0.e30.' }, error: 'request_not_supported' },
  { call: 'request_uri', changes: { request_uri: 'https://evil.example/r' }, error: 'request_uri_not_supported' },
  { call: 'registration', changes: { registration: '{}' }, error: 'registration_not_supported' },
  ...['create', 'none login', 'none consent', 'none select_account', 'constructor'].map((value) => ({
    call: `prompt=${value}`,
    changes: { prompt: value },
    error: 'invalid_request',
  })),
  ...[
    '-1',
    'abc',
    '1.5',
    'Infinity',
    '9007199254740993',
    '1e3',
    '0x10',
    '0x0',
    '0b1',
    '+5',
    '-0',
    ' 5',
    '5 ',
    '5\n',
    '٣',
  ].map((value) => ({
    call: `max_age=${value}`,
    changes: { max_age: value },
    error: 'invalid_request',
  })),
  { call: 'an id_token_hint that is none', changes: { id_token_hint: 'abc' }, error: 'invalid_request' },
];

describe.each([
  ['no one', undefined],
  ['someone', 'sam'],
])('with %s signed in', (_name, person) => {
  test.each(rows)('$call: $error goes back to the client, with state and iss', async ({ changes, error, client }) => {
    const asking = client ?? memberApp;
    const response = await schools
      .browser(person)
      .fetch(authorizeUrl(schools.harbour, asking, { verifier: '', challenge }, changes));
    const query = redirectQuery(response, asking.redirectUri);
    // RFC 6749 section 4.1.2.1 has no other parameter.
    const { error_description: _words, ...rest } = query;
    expect(rest).toEqual({ error, state: 'the-state', iss: schools.harbour });
    expectWords(query['error_description']);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

test.each([
  [
    'account:read',
    reports,
    'only clients that the school makes for its members can have it, with the scope added to them',
  ],
  ['courses:read', memberApp, 'or have the scope added to the client'],
])('who may not have %s reads who may', async (scope, client, words) => {
  const url = authorizeUrl(schools.harbour, client, { verifier: '', challenge }, { scope: `openid ${scope}` });
  const { error_description: text } = redirectQuery(await schools.browser().fetch(url), client.redirectUri);
  expect(text).toContain(`this client may not ask for ${scope}; `);
  expect(text).toContain(words);
});

test('a redirect URI that has a parameter scope keeps it with invalid_scope, as with every other error', async () => {
  const redirectUri = 'https://scoped.example/callback?scope=mine&x=1';
  const client = { id: 'scoped-app', redirectUri, scope: 'openid' };
  const scoped = {
    ...client,
    clientId: client.id,
    clientName: 'Scoped',
    audience: 'member',
    redirectUris: [redirectUri],
  };
  const { clientId, clientName, redirectUris } = scoped;
  const other = await startSchools({
    campus: { clients: [{ clientId, clientName, audience: 'member', redirectUris, scopes: ['openid'] }] },
  });
  for (const scope of ['openid account:read', 'nonsense']) {
    const url = authorizeUrl(other.harbour, client, { verifier: '', challenge }, { scope });
    const location = new URL((await other.browser().fetch(url)).headers.get('location') ?? '');
    expect(location.searchParams.get('error')).toBe('invalid_scope');
    expect([location.searchParams.getAll('scope'), location.searchParams.get('x')]).toEqual([['mine'], '1']);
  }
  await other.close();
});

describe('without openid, a parameter of OpenID Connect is ignored', () => {
  test.each([
    ['nonce', 'n'],
    ['max_age', '0'],
    ['max_age', '1e3'],
    ['acr_values', 'gold'],
    ['id_token_hint', 'abc'],
    ['claims_locales', 'de'],
    ['claims', '{}'],
  ])('%s=%s', async (name, value) => {
    const changes = { scope: 'profile account:read', nonce: undefined, [name]: value };
    const url = authorizeUrl(schools.harbour, memberApp, { verifier: '', challenge }, changes);
    expect(decisionsOn((await schools.browser('sam', 1).follow(url)).html)).toContain('allow');
  });
});

test.each(['0', '00', '5', '007', '9007199254740991'])('max_age=%s is decimal digits, and accepted', async (value) => {
  const url = authorizeUrl(schools.harbour, memberApp, { verifier: '', challenge }, { max_age: value });
  const location = (await schools.browser().fetch(url)).headers.get('location');
  expect(location).toContain('/oauth/interaction/');
});

test.each([
  ['an error', { scope: 'nonsense' }],
  ['an error with an empty state', { scope: 'nonsense', state: '' }],
])('%s without a state has none', async (_name, changes) => {
  const url = authorizeUrl(schools.harbour, memberApp, { verifier: '', challenge }, { state: undefined, ...changes });
  const query = redirectQuery(await schools.browser().fetch(url), memberApp.redirectUri);
  expect(query).not.toHaveProperty('state');
  expect(query['iss']).toBe(schools.harbour);
});

test('a state of every character comes back as it was sent', async () => {
  const state = 'a b+c&d=e%20f#g?"<>é漢😀\n';
  const url = authorizeUrl(schools.harbour, memberApp, { verifier: '', challenge }, { scope: 'nonsense', state });
  expect(redirectQuery(await schools.browser().fetch(url), memberApp.redirectUri)['state']).toBe(state);
});

test.each(['fragment', 'form_post', 'jwt', 'web_message', 'constructor'])(
  'response_mode=%s is refused, in the query',
  async (mode) => {
    const url = authorizeUrl(schools.harbour, memberApp, { verifier: '', challenge }, { response_mode: mode });
    const query = redirectQuery(await schools.browser('sam').fetch(url), memberApp.redirectUri);
    expect(query).toMatchObject({ error: 'unsupported_response_mode', state: 'the-state', iss: schools.harbour });
  },
);

test('response_mode=query goes on', async () => {
  const url = authorizeUrl(schools.harbour, memberApp, { verifier: '', challenge }, { response_mode: 'query' });
  expect(decisionsOn((await schools.browser('sam').follow(url)).html)).toContain('allow');
});

// RFC 6749 section 4.2.2.1 lets an error of an implicit request come back in the fragment.
test.each(['token', 'id_token', 'id_token token', 'code token', 'code id_token'])(
  'response_type=%s: unsupported_response_type goes back to the client, with state and iss',
  async (type) => {
    const url = authorizeUrl(schools.harbour, memberApp, { verifier: '', challenge }, { response_type: type });
    const response = await schools.browser('sam').fetch(url);
    const [to, query] = (response.headers.get('location') ?? '').split(/[?#]/);
    expect(to).toBe(memberApp.redirectUri);
    expect(Object.fromEntries(new URLSearchParams(query))).toMatchObject({
      error: 'unsupported_response_type',
      state: 'the-state',
      iss: schools.harbour,
    });
  },
);
