import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AuditEvent, Site, StaticClient } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { csrfOf, decisionsOn } from '../helpers/browser.ts';
import { testClients } from '../helpers/clients.ts';
import { resetClock, stopClock } from '../helpers/clock.ts';
import {
  authorize,
  authorizeUrl,
  connect,
  exchange,
  getCode,
  memberApp,
  pkce,
  refresh,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { expectError, redirectQuery } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

const portal: TestClient = { ...webMemberApp, id: 'portal', secret: 'portal-secret' };
const firstParty: StaticClient = {
  ...testClients[2],
  clientId: portal.id,
  clientName: 'Portal',
  clientSecret: 'portal-secret',
  firstParty: true,
};

let failing = false;
let before: (() => Promise<unknown>) | undefined;
let events: AuditEvent[];
let schools: Schools;
beforeEach(async () => {
  before = undefined;
  events = [];
  const inner = memoryStore();
  // Does something right before the next grant is written.
  const store: Store = {
    ...inner,
    revoke: async (...args) => {
      if (failing) throw new Error('connection lost');
      return inner.revoke(...args);
    },
    save: async (siteId, entry) => {
      if (entry.kind === 'Grant') {
        const run = before;
        before = undefined;
        await run?.();
      }
      return inner.save(siteId, entry);
    },
  };
  schools = await startSchools({ campus: { store, clients: [...testClients, firstParty] } });
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterEach(async () => {
  resetClock();
  await schools.close();
});

const at = (id: 'harbour' | 'summit' = 'harbour'): Site => siteOf(schools, id);
const block = (client: TestClient) => schools.campus.apps.set(at(), { clientId: client.id }, { access: 'blocked' });

describe.each([
  ['a public client', memberApp],
  ['a confidential client', webMemberApp],
  ['a first-party client', portal],
])('%s that a school has blocked', (_what, client) => {
  test('loses all codes and tokens of that school at once', async () => {
    const tokens = await connect(schools.browser('sam'), schools.harbour, client);
    const code = await getCode(schools.browser('sam'), schools.harbour, client);
    expect(await block(client)).toEqual({ ended: 1, atRefresh: 0 });
    expect((await userinfo(schools.harbour, tokens.body['access_token'])).status).toBe(401);
    expectError(await refresh(schools.harbour, client, tokens.body['refresh_token']), 400, 'invalid_grant');
    expectError(await exchange(code), 400, 'invalid_grant');
    expect(await schools.campus.connections.list(at(), 'sam')).toEqual([]);
  });

  test('cannot be authorized: the person reads why, and the client gets access_denied', async () => {
    await connect(schools.browser('sam'), schools.harbour, client);
    await block(client);
    const browser = schools.browser('sam');
    const page = await browser.follow(authorizeUrl(schools.harbour, client, pkce()));
    expect([page.response.status, page.html.includes('Only its staff can change this')]).toEqual([403, true]);
    expect(decisionsOn(page.html)).not.toContain('allow');
    const { url } = await browser.decide(page, 'deny');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error: 'access_denied',
      error_description: 'this school has blocked the client; ask an administrator of the school',
      state: 'the-state',
    });
    expect(await schools.campus.connections.list(at(), 'sam')).toEqual([]);
  });

  test('with prompt=none gets access_denied', async () => {
    await block(client);
    const response = await schools
      .browser('sam')
      .fetch(authorizeUrl(schools.harbour, client, pkce(), { prompt: 'none' }));
    expect(redirectQuery(response, client.redirectUri)).toMatchObject({ error: 'access_denied' });
  });

  test('can be authorized again after the block is taken back, which can be repeated', async () => {
    await block(client);
    const { apps } = schools.campus;
    expect((await apps.find(at(), { clientId: client.id })).own).toEqual({ access: 'blocked' });
    for (let i = 0; i < 2; i += 1)
      expect(await apps.reset(at(), { clientId: client.id })).toEqual({ ended: 0, atRefresh: 0 });
    expect(await apps.find(at(), { clientId: client.id })).not.toHaveProperty('own');
    expect((await connect(schools.browser('sam'), schools.harbour, client)).status).toBe(200);
  });

  test('right before its grant is written gets no code, and the grant does not stay', async () => {
    before = () => block(client);
    const { html, url } = await authorize(schools.browser('sam'), authorizeUrl(schools.harbour, client, pkce()));
    expect(url.searchParams.get('code')).toBeNull();
    expect(html).toContain('Only its staff can change this');
    expect(await schools.campus.connections.list(at(), 'sam')).toEqual([]);
  });
});

test('a form of before the block shows that the client is blocked', async () => {
  const browser = schools.browser('sam');
  const page = await browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
  await block(webMemberApp);
  const body = new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow', choice: 'shown', scope: 'email' });
  const after = await browser.follow(page.url, { method: 'POST', body });
  expect([after.response.status, after.html.includes('Only its staff can change this')]).toEqual([403, true]);
});

test('the page is in the language of the person', async () => {
  await block(webMemberApp);
  const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { ui_locales: 'zh-Hant' });
  expect((await schools.browser('sam').follow(url)).html).toMatch(/已封鎖/);
});

test('a block that failed half-way is completed by the next one', async () => {
  const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  failing = true;
  await expect(block(webMemberApp)).rejects.toThrow('the service is temporarily unavailable');
  failing = false;
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
  expect(await block(webMemberApp)).toEqual({ ended: 1, atRefresh: 0 });
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
});

test('another school and another client are not affected', async () => {
  const there = await connect(schools.browser('sam'), schools.summit, webMemberApp);
  const other = await connect(schools.browser('sam'), schools.harbour, memberApp);
  await block(webMemberApp);
  expect((await userinfo(schools.summit, there.body['access_token'])).status).toBe(200);
  expect((await userinfo(schools.harbour, other.body['access_token'])).status).toBe(200);
  expect((await connect(schools.browser('sam'), schools.summit, webMemberApp)).status).toBe(200);
  expect(await schools.campus.apps.list(at('summit'), { status: 'blocked' })).toEqual([]);
});

test('a list of what is blocked has clients, known or not', async () => {
  const { apps } = schools.campus;
  // Those of one second are in the order of their ids.
  stopClock();
  const now = Math.floor(Date.now() / 1000);
  for (const client of [portal.id, 'not-yet-known', 'https://agent.example/client.json'])
    await apps.set(at(), { clientId: client }, { access: 'blocked' });
  await apps.set(at(), { clientId: portal.id }, { access: 'blocked' });
  const all = await apps.list(at(), { status: 'blocked' });
  const ordered = all.toSorted((a, b) => a.clientName.localeCompare(b.clientName));
  expect(ordered.map(({ decided, ...rest }) => [decided?.at === now, rest])).toMatchObject([
    [
      true,
      {
        clientId: 'https://agent.example/client.json',
        clientName: 'https://agent.example/client.json',
        host: 'agent.example',
        source: 'document',
        audience: 'operator',
      },
    ],
    [
      true,
      {
        clientId: 'not-yet-known',
        clientName: 'not-yet-known',
        host: undefined,
        source: 'static',
        audience: 'operator',
      },
    ],
    [
      true,
      {
        clientId: 'portal',
        clientName: 'Portal',
        host: 'buddy.example',
        source: 'static',
        audience: 'member',
      },
    ],
  ]);
});

test('blocking and unblocking are in the audit log', async () => {
  await connect(schools.browser('sam'), schools.harbour, portal);
  events.length = 0;
  await block(portal);
  await schools.campus.apps.reset(at(), { clientId: portal.id });
  const parties = { siteId: 'harbour', clientId: 'portal' };
  expect(events).toMatchObject([
    { action: 'app.decided', outcome: 'refused', reason: 'set', rule: { access: 'blocked' }, ...parties },
    { action: 'connection.ended', outcome: 'allowed', reason: 'client_blocked', connections: 1, ...parties },
    { action: 'app.decided', outcome: 'allowed', reason: 'reset', ...parties },
  ]);
});

test.each([
  ['an empty id', ''],
  ['an id of 2,049 characters', 'x'.repeat(2049)],
])('%s cannot be blocked', async (_what, clientId) => {
  await expect(schools.campus.apps.set(at(), { clientId }, { access: 'blocked' })).rejects.toThrow(
    'client_id must be a string of 1 to 2048',
  );
});
