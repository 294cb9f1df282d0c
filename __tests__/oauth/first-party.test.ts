import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AccessRule, AuditEvent, Question, Site, StaticClient } from '../../lib/index.ts';
import { csrfOf, decisionsOn } from '../helpers/browser.ts';
import {
  authorizeUrl,
  type Changes,
  connect,
  exchange,
  pkce,
  refresh,
  type TestClient,
  userinfo,
} from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { redirectQuery } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

const portal: TestClient = {
  id: 'portal',
  redirectUri: 'https://portal.example/callback',
  secret: 'portal-secret',
  scope: 'openid profile email account:read',
};
/** A public one. */
const player: TestClient = { id: 'player', redirectUri: 'https://player.example/callback', scope: portal.scope };
const panel: TestClient = { ...portal, id: 'console', scope: 'openid courses:read' };

const shared = {
  firstParty: true,
  audience: 'member',
  scopes: ['openid', 'profile', 'email', 'account:read'],
} as const;
const clients: StaticClient[] = [
  {
    ...shared,
    clientId: portal.id,
    clientName: 'Portal',
    redirectUris: [portal.redirectUri],
    clientSecret: 'portal-secret',
  },
  { ...shared, clientId: player.id, clientName: 'Player', redirectUris: [player.redirectUri] },
  {
    ...shared,
    clientId: panel.id,
    clientName: 'Console',
    audience: 'operator',
    scopes: ['openid', 'courses:read'],
    redirectUris: [portal.redirectUri],
    clientSecret: 'portal-secret',
  },
];

let verdict: AccessRule | undefined;
let failing: boolean;
let asked: Question[];
let events: AuditEvent[];
let schools: Schools;
beforeEach(async () => {
  [verdict, failing, asked, events] = [undefined, false, [], []];
  const policy = (question: Question): AccessRule | undefined => {
    asked.push(question);
    if (failing) throw new Error('rules away');
    return verdict;
  };
  schools = await startSchools({ campus: { clients, access: [policy] } });
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterEach(() => schools.close());

const harbour = (): Site => harbourSite(schools.harbour);

/** One authorization request and what came of it, without a page in between. */
async function silently(client: TestClient, changes: Changes = {}, browser = schools.browser('sam')) {
  const pair = pkce();
  const stop = await browser.follow(authorizeUrl(schools.harbour, client, pair, changes));
  if (stop.url.origin !== new URL(client.redirectUri).origin)
    throw new Error(`stopped at ${stop.url.href}: ${stop.html}`);
  const query = Object.fromEntries(stop.url.searchParams);
  const code = { origin: schools.harbour, client, code: query['code'] ?? '', verifier: pair.verifier };
  return { query, tokens: async () => (await exchange(code)).body };
}

describe.each([
  ['a confidential client', portal],
  ['a public client with fixed https callbacks', player],
])('%s that is first-party', (_what, client) => {
  test.each(['at once', 'with prompt=none'])(
    'gets a code without the consent page, %s, and all scopes',
    async (how) => {
      const { query, tokens } = await silently(client, how === 'at once' ? {} : { prompt: 'none' });
      expect(query).toMatchObject({ state: 'the-state', iss: schools.harbour });
      const { scope, access_token: token, refresh_token: refreshToken } = await tokens();
      expect(scope).toBe(client.scope);
      expect((await userinfo(schools.harbour, token)).body).toMatchObject({ sub: 'sam', email: 'sam@example.com' });
      expect((await refresh(schools.harbour, client, refreshToken)).status).toBe(200);
      const parties = { reason: 'first_party', siteId: 'harbour', clientId: client.id, memberId: 'sam' };
      expect(events.slice(0, 2)).toMatchObject([
        { action: 'consent.given', ...parties, scopes: { before: [], after: client.scope.split(' ') } },
        { action: 'authorization.granted', ...parties },
      ]);
    },
  );

  test('shows the consent page for prompt=consent, and what is declined there stays declined', async () => {
    const browser = schools.browser('sam');
    const pair = pkce();
    const page = await browser.follow(authorizeUrl(schools.harbour, client, pair, { prompt: 'consent' }));
    expect(decisionsOn(page.html)).toContain('allow');
    const form = new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow', choice: 'shown' });
    const { url } = await browser.follow(page.url, { method: 'POST', body: form });
    const code = { origin: schools.harbour, client, code: url.searchParams.get('code') ?? '', verifier: pair.verifier };
    expect((await exchange(code)).body['scope']).toBe('openid profile email');
    expect(events.slice(0, 2).map(({ action, reason }) => [action, reason])).toEqual([
      ['consent.narrowed', undefined],
      ['authorization.granted', undefined],
    ]);
    expect((await (await silently(client, {}, browser)).tokens())['scope']).toBe('openid profile email');
    // Also after a request for something else, and when a policy narrows and ends to.
    expect((await (await silently(client, { scope: 'openid' }, browser)).tokens())['scope']).toBe('openid');
    verdict = { scopes: ['openid'] };
    expect((await (await silently(client, {}, browser)).tokens())['scope']).toBe('openid');
    verdict = undefined;
    expect((await (await silently(client, {}, browser)).tokens())['scope']).toBe('openid profile email');
  });
});

test('what was declined or taken away stays so after a consent page that did not ask for it', async () => {
  const browser = schools.browser('sam');
  await silently(portal, {}, browser);
  const [connection] = await schools.campus.connections.list(harbour(), 'sam');
  await schools.campus.connections.narrow(harbour(), 'sam', connection?.id ?? '', ['account:read']);
  const url = authorizeUrl(schools.harbour, portal, pkce(), { prompt: 'consent', scope: 'openid profile' });
  await browser.decide(await browser.follow(url), 'allow');
  expect((await (await silently(portal, {}, browser)).tokens())['scope']).toBe('openid profile email');
  // Until the person allows it.
  const again = authorizeUrl(schools.harbour, portal, pkce(), { prompt: 'consent' });
  await browser.decide(await browser.follow(again), 'allow');
  expect((await (await silently(portal, {}, browser)).tokens())['scope']).toBe(portal.scope);
});

test('with prompt=consent nothing is granted before the person allows, and nothing if they deny', async () => {
  const browser = schools.browser('sam');
  const page = await browser.follow(authorizeUrl(schools.harbour, portal, pkce(), { prompt: 'consent' }));
  expect(await schools.campus.connections.list(harbour(), 'sam')).toEqual([]);
  const { url } = await browser.decide(page, 'deny');
  expect(url.searchParams.get('error')).toBe('access_denied');
  expect(await schools.campus.connections.list(harbour(), 'sam')).toEqual([]);
});

describe('a policy', () => {
  test('gets a first-party client, and what it takes away is not granted until it allows it', async () => {
    verdict = { scopes: ['openid', 'email'], text: 'No more for now.' };
    expect((await (await silently(portal)).tokens())['scope']).toBe('openid email');
    expect(asked[0]).toMatchObject({
      app: { source: 'platform', kind: 'website', verified: true, reviewed: true },
      client: { id: 'portal', audience: 'member' },
      at: 'connect',
    });
    verdict = undefined;
    const { scope } = await (await silently(portal)).tokens();
    expect(String(scope).split(' ').sort()).toEqual(portal.scope.split(' ').sort());
    verdict = { scopes: ['openid'] };
    expect((await (await silently(portal)).tokens())['scope']).toBe('openid');
  });

  test('is asked once for each authorization, and once more after a grant is written', async () => {
    await silently(portal);
    expect(asked).toHaveLength(2);
    await silently(portal);
    expect(asked).toHaveLength(3);
  });

  test.each([false, true])(
    'that blocks: the person reads it, and nothing is granted (connected before: %s)',
    async (before) => {
      if (before) await silently(portal);
      verdict = { access: 'blocked', text: 'Not in the holidays.' };
      const browser = schools.browser('sam');
      const page = await browser.follow(authorizeUrl(schools.harbour, portal, pkce()));
      expect([page.response.status, page.html.includes('Not in the holidays.')]).toEqual([403, true]);
      expect((await browser.decide(page, 'deny')).url.searchParams.get('error')).toBe('access_denied');
      const response = await browser.fetch(authorizeUrl(schools.harbour, portal, pkce(), { prompt: 'none' }));
      expect(redirectQuery(response, portal.redirectUri)['error']).toBe('access_denied');
      expect(await schools.campus.connections.list(harbour(), 'sam')).toHaveLength(before ? 1 : 0);
    },
  );

  test('that fails is a fault, and nothing is granted', async () => {
    failing = true;
    const page = await schools.browser('sam').fetch(authorizeUrl(schools.harbour, portal, pkce()));
    expect(page.status).toBe(503);
    expect(schools.faults).toMatchObject([{ message: 'access[0] policy failed' }]);
    expect(await schools.campus.connections.list(harbour(), 'sam')).toEqual([]);
  });
});

describe('who may authorize stays the same', () => {
  test.each([
    ['nora, who has no role', 'nora', portal],
    ['sam, for an operator client', 'sam', panel],
  ])('%s: access_denied', async (_who, person, client) => {
    const { query } = await silently(client, {}, schools.browser(person));
    expect(query['error']).toBe('access_denied');
    expect(await schools.campus.connections.list(harbour(), person)).toEqual([]);
  });

  test('an operator gets a code of an operator client', async () => {
    expect((await silently(panel, {}, schools.browser('olivia'))).query['code']).toBeTruthy();
  });

  test.each([
    ['no one', undefined, {}],
    ['one who has to sign in again', 'sam', { prompt: 'login' }],
    ['one whose sign-in is too long ago', 'sam', { max_age: '0' }],
    ['one who has to choose', 'sam', { prompt: 'select_account' }],
  ])('%s is sent to sign in, and nothing is granted before', async (_who, person, changes) => {
    const { url } = await schools.browser(person).follow(authorizeUrl(schools.harbour, portal, pkce(), changes));
    expect(url.pathname).toBe('/sign-in');
    expect(await schools.campus.connections.list(harbour(), 'sam')).toEqual([]);
  });

  test('another person than id_token_hint names is sent to sign in, and nothing is granted before', async () => {
    const { tokens } = await silently(portal, {}, schools.browser('olivia'));
    const hint = { id_token_hint: String((await tokens())['id_token']) };
    const { url } = await schools.browser('sam').follow(authorizeUrl(schools.harbour, portal, pkce(), hint));
    expect(url.pathname).toBe('/sign-in');
    expect(await schools.campus.connections.list(harbour(), 'sam')).toEqual([]);
  });
});

describe('Your apps', () => {
  test.each([
    ['en', 'part of the platform', 'so you weren’t asked'],
    ['zh-Hant', '平台內建', '不會徵求您的同意'],
  ])('lists it and says what it is: %s', async (language, badge, about) => {
    await silently(portal);
    const headers = { 'accept-language': language };
    const textAt = async (path: string): Promise<string> =>
      (await schools.browser('sam').fetch(`${schools.harbour}${path}`, { headers })).text();
    const list = await textAt('/account/apps');
    expect([badge, 'Portal'].map((text) => list.includes(text))).toEqual([true, true]);
    const one = await textAt(readPage(list).getByRole('link', { name: /^Portal/ }).href);
    expect(one).toContain(about);
  });

  test('a connection says whether it is first-party, and one that was ended comes back with the next authorization', async () => {
    await silently(portal);
    const { connections } = schools.campus;
    const [connection] = await connections.list(harbour(), 'sam');
    expect(connection).toMatchObject({ clientId: 'portal', firstParty: true, source: 'static' });
    await connections.revoke(harbour(), 'sam', connection?.id ?? '');
    expect((await silently(portal)).query['code']).toBeTruthy();
  });
});

test('a client that is not first-party shows the page', async () => {
  const { connections } = schools.campus;
  await schools.close();
  schools = await startSchools();
  await expect(
    silently({ ...portal, id: 'web-member-app', redirectUri: 'https://buddy.example/callback' }),
  ).rejects.toThrow('value="allow"');
  await connect(schools.browser('sam'), schools.harbour, {
    ...portal,
    id: 'web-member-app',
    secret: 'buddy-secret',
    redirectUri: 'https://buddy.example/callback',
  });
  expect(connections).toBeDefined();
  expect(await schools.campus.connections.list(harbour(), 'sam')).toMatchObject([{ firstParty: false }]);
});
