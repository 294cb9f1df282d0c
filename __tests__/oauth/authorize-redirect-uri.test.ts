import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../helpers/responses.ts';
import {
  authorize,
  authorizeUrl,
  type Changes,
  jsonResponse,
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

const request = (client: TestClient, changes: Changes): URL => authorizeUrl(schools.harbour, client, pkce(), changes);

/** Anything but `https://reports.example/callback`. */
const foreignToWeb = [
  'https://evil.example/callback',
  'http://reports.example/callback',
  'https://reports.example:8443/callback',
  'https://reports.example:443/callback',
  'https://reports.example./callback',
  'https://REPORTS.example/callback',
  'https://user@reports.example/callback',
  'https://reports.example.evil.example/callback',
  'https://reports.example/callback/',
  'https://reports.example/callback?next=https://evil.example',
  'https://reports.example/callback#x',
  'https://reports.example/callback/../evil',
  'https://reports.example\\.evil.example/callback',
  'http://127.0.0.1/callback',
  'https://buddy.example/callback',
];

const foreignToAnyone = [
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'ftp://127.0.0.1/callback',
  '*',
];

const rows: [string, TestClient, string | undefined][] = [
  ...foreignToWeb.map((uri): [string, TestClient, string] => [uri, reports, uri]),
  ...[memberApp, reports, webMemberApp].flatMap((client) =>
    [...foreignToAnyone, '', undefined].map((uri): [string, TestClient, string | undefined] => [
      `${client.id}: ${uri ?? 'missing'}`,
      client,
      uri,
    ]),
  ),
];

describe.each([
  ['no one', undefined],
  ['someone', 'olivia'],
])('with %s signed in', (_name, person) => {
  test.each(rows)('redirect_uri %j stops at a page, and goes nowhere', async (_uri, client, redirectUri) => {
    const url = request(client, { redirect_uri: redirectUri });
    const page = await schools.browser(person).fetch(url);
    expect([page.status, page.headers.get('location'), page.headers.get('refresh')]).toEqual([400, null, null]);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const json = await schools.browser(person).fetch(url, { headers: { accept: 'application/json' } });
    expectError(await jsonResponse(json), 400, redirectUri ? 'invalid_redirect_uri' : 'invalid_request');
    expect(json.headers.get('location')).toBeNull();
  });

  test('a wrong redirect_uri is said before anything else that is wrong', async () => {
    const wrong = {
      scope: 'nonsense',
      code_challenge: undefined,
      response_type: 'token',
      prompt: 'none',
      max_age: 'x',
    };
    const url = request(memberApp, { ...wrong, redirect_uri: 'https://evil.example/' });
    const json = await schools.browser(person).fetch(url, { headers: { accept: 'application/json' } });
    expectError(await jsonResponse(json), 400, 'invalid_redirect_uri');
  });

  test('prompt=none does not send an error to a foreign redirect_uri', async () => {
    const url = request(memberApp, { prompt: 'none', redirect_uri: 'https://evil.example/' });
    const page = await schools.browser(person).fetch(url);
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
  });
});

test.each(['https://buddy.example/callback', 'https://buddy.example/other'])(
  'a client with several redirect URIs gets the code at the one it names: %s',
  async (redirectUri) => {
    const { url } = await authorize(schools.browser('sam'), request(webMemberApp, { redirect_uri: redirectUri }));
    expect(`${url.origin}${url.pathname}`).toBe(redirectUri);
  },
);

describe('redirect URIs of other forms', () => {
  const uris = [
    'https://query.example/callback?tenant=a%20b&empty=',
    'com.example.school:/callback',
    'com.example.school://host/callback?x=1',
    'http://[::1]/callback',
  ];
  const asking = { id: 'many-forms', redirectUri: '', scope: 'openid' };
  let own: Schools;
  beforeAll(async () => {
    const client = { clientId: asking.id, clientName: 'Many forms', audience: 'member', scopes: ['openid'] } as const;
    own = await startSchools({ campus: { clients: [{ ...client, redirectUris: uris }] } });
  });
  afterAll(() => own.close());

  const end = async (redirectUri: string, changes: Changes = {}): Promise<URL> => {
    const url = authorizeUrl(own.harbour, { ...asking, redirectUri }, pkce(), changes);
    return (await authorize(own.browser('sam'), url)).url;
  };

  test.each([...uris, 'http://[::1]:49152/callback'])(
    '%s gets the code, and an error, beside what it has',
    async (uri) => {
      const before = new URL(uri);
      for (const [changes, name] of [
        [{}, 'code'],
        [{ scope: 'nonsense' }, 'error'],
      ] as const) {
        const url = await end(uri, changes);
        expect(url.href.split('?', 1)).toEqual(uri.split('?', 1));
        expect([...url.searchParams].slice(0, before.searchParams.size)).toEqual([...before.searchParams]);
        expect(url.searchParams.get(name)).toBeTruthy();
        expect([url.searchParams.get('state'), url.searchParams.get('iss')]).toEqual(['the-state', own.harbour]);
      }
    },
  );

  test.each([
    'https://query.example/callback',
    'https://query.example/callback?tenant=a+b&empty=',
    'https://query.example/callback?empty=&tenant=a%20b',
    'https://query.example/callback?tenant=a%20b&empty=&x=1',
    'com.example.school:/callback/',
    'com.example.school:/Callback',
    'COM.example.school:/callback',
    'com.example.school://evil/callback?x=1',
    'http://127.0.0.1:49152/callback',
    'http://[::1]:49152/callback?x',
    'http://[0:0:0:0:0:0:0:1]:49152/callback',
    'http://[::2]:49152/callback',
  ])('%s stops at a page', async (redirectUri) => {
    const url = authorizeUrl(own.harbour, { ...asking, redirectUri }, pkce());
    const page = await own.browser('sam').fetch(url);
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
  });
});
