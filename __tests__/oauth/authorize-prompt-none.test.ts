import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { expectWords, redirectQuery } from '../helpers/responses.ts';
import {
  authorize,
  authorizeUrl,
  type Changes,
  connect,
  memberApp,
  pkce,
  reports,
  type TestClient,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeEach(async () => {
  schools = await startSchools();
});
afterEach(() => schools.close());

const silently = (client: TestClient, changes: Changes = {}): URL =>
  authorizeUrl(schools.harbour, client, pkce(), { prompt: 'none', ...changes });

interface Row {
  readonly who: string;
  readonly person?: string;
  readonly client: TestClient;
  readonly changes?: Changes;
  readonly before?: Changes;
  readonly error: string;
}

const now = (): number => Math.floor(Date.now() / 1000);

test.each<Row>([
  { who: 'no one', client: webMemberApp, error: 'login_required' },
  { who: 'no one, for a public client', client: memberApp, error: 'login_required' },
  { who: 'sam, who has not consented', person: 'sam', client: webMemberApp, error: 'consent_required' },
  {
    who: 'sam, who has consented to less',
    person: 'sam',
    client: webMemberApp,
    before: { scope: 'openid profile' },
    error: 'consent_required',
  },
  {
    who: 'sam, who has consented to a public client',
    person: 'sam',
    client: memberApp,
    before: {},
    error: 'consent_required',
  },
  { who: 'nora, who has no role', person: 'nora', client: webMemberApp, error: 'access_denied' },
  { who: 'sam, for an operator client', person: 'sam', client: reports, error: 'access_denied' },
  {
    who: 'sam, who signed in too long ago',
    person: 'sam',
    client: webMemberApp,
    before: {},
    changes: { max_age: '10' },
    error: 'login_required',
  },
])('prompt=none with $who: $error goes back to the client, with state and iss', async (row) => {
  const browser = schools.browser(row.person, row.person === undefined ? undefined : now() - 60);
  if (row.before) await connect(browser, schools.harbour, row.client, row.before);
  const query = redirectQuery(await browser.fetch(silently(row.client, row.changes)), row.client.redirectUri);
  expect(query).toMatchObject({ error: row.error, state: 'the-state', iss: schools.harbour });
  expectWords(query['error_description']);
  expect(query).not.toHaveProperty('code');
});

test.each([
  ['the same scopes', {}],
  ['fewer scopes', { scope: 'openid' }],
  ['a sign-in that is young enough', { max_age: '1000' }],
])('prompt=none for %s than were consented to gives a code at once', async (_name, changes) => {
  const browser = schools.browser('sam', now() - 60);
  await connect(browser, schools.harbour, webMemberApp);
  const query = redirectQuery(await browser.fetch(silently(webMemberApp, changes)), webMemberApp.redirectUri);
  expect(query).toMatchObject({ code: expect.any(String), state: 'the-state', iss: schools.harbour });
  expect(query).not.toHaveProperty('error');
});

test('prompt=none gives a code in another browser of the same person', async () => {
  await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  const query = redirectQuery(await schools.browser('sam').fetch(silently(webMemberApp)), webMemberApp.redirectUri);
  expect(query['code']).toBeTruthy();
});

test('consent to less, and an invalid hint: the error description says what to do', async () => {
  const browser = schools.browser('sam', now() - 60);
  await connect(browser, schools.harbour, webMemberApp, { scope: 'openid profile' });
  const said = async (changes: Changes): Promise<string | undefined> =>
    redirectQuery(await browser.fetch(silently(webMemberApp, changes)), webMemberApp.redirectUri)['error_description'];
  expect(await said({})).toMatch(/not allowed all of these scopes yet; send the request again without prompt=none$/);
  expect(await said({ id_token_hint: 'abc' })).toMatch(
    /^id_token_hint must be an ID token .*; send the newest one, or none$/,
  );
});

test('what was denied is not granted in silence afterwards', async () => {
  const browser = schools.browser('sam');
  const page = await browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
  const { url } = await browser.decide(page, 'deny');
  expect(url.searchParams.get('error')).toBe('access_denied');
  const query = redirectQuery(await browser.fetch(silently(webMemberApp)), webMemberApp.redirectUri);
  expect(query['error']).toBe('consent_required');
});

test('no state is sent back where none was sent, with a code neither', async () => {
  const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { state: undefined });
  const end = await authorize(schools.browser('sam'), url);
  expect([...end.url.searchParams.keys()].sort()).toEqual(['code', 'iss']);
});
