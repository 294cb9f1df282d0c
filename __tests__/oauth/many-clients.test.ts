import { afterEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AuditEvent } from '../../lib/index.ts';
import { digest } from '../../lib/kernel/crypto.ts';
import type { Store } from '../../lib/store.ts';
import { loopbackClients } from '../../policies/index.ts';
import { decisionsOn } from '../helpers/browser.ts';
import {
  authorizeUrl,
  connect,
  jsonResponse,
  memberApp,
  pkce,
  reports,
  type TestClient,
  userinfo,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

const most = 5000;
const now = Math.floor(Date.now() / 1000);

let schools: Schools;
let store: Store;
let events: AuditEvent[];
afterEach(() => schools.close());

/** Olivia is connected with `reports`, which was active before every other client. The school's list is full. */
async function start(peopleOfOthers: number): Promise<unknown> {
  store = memoryStore();
  events = [];
  schools = await startSchools({ campus: { store } });
  schools.campus.events.on('audit', (event) => events.push(event));
  const { body } = await connect(schools.browser('olivia'), schools.harbour, reports);
  await note(reports.id, now - 10_000);
  for (let i = 1; i < most; i += 1) {
    await note(`other-${i}`, now - 9000 + i);
    if (i < 20) for (let j = 0; j < peopleOfOthers; j += 1) await grant(`other-${i}`, `person-${j}`);
  }
  return body['access_token'];
}

async function note(id: string, at: number): Promise<void> {
  const record = JSON.stringify({ v: 1, client_id: id, at });
  await store.save('harbour', { kind: 'ConnectedClient', id: digest(id), record, listed: true });
}

async function grant(clientId: string, memberId: string): Promise<void> {
  const record = {
    v: 2,
    accountId: memberId,
    clientId,
    resource: schools.harbour,
    scope: 'openid',
    declined: '',
    iat: now,
    exp: now + 1000,
  };
  const entry = { kind: 'Grant', id: `${clientId}-${memberId}`, record: JSON.stringify(record), ttl: 1000 } as const;
  await store.save('harbour', { ...entry, memberId, clientId });
}

async function register(redirectUri: string, name?: string): Promise<TestClient> {
  const response = await fetch(`${schools.harbour}/api/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirectUri], client_name: name }),
  });
  const { body } = await jsonResponse(response);
  return { id: String(body['client_id']), redirectUri, scope: 'openid courses:read' };
}

const noted = async (clientId: string): Promise<boolean> =>
  (await store.find('harbour', 'ConnectedClient', digest(clientId))) !== undefined;

test('a client that leaves the full list of a school has no connections, so that no rule can miss it', async () => {
  const token = await start(2);
  await connect(schools.browser('sam'), schools.harbour, memberApp);
  expect([await noted(reports.id), await noted('other-1'), await noted(memberApp.id)]).toEqual([false, true, true]);
  expect((await userinfo(schools.harbour, token)).status).toBe(401);
  const ended = events.filter(({ action }) => action === 'connection.ended');
  const actor = { kind: 'client', id: memberApp.id };
  expect(ended).toEqual([
    expect.objectContaining({ reason: 'client_limit', clientId: reports.id, connections: 1, actor }),
  ]);
  await connect(schools.browser('olivia'), schools.harbour, reports);
  expect(await noted(reports.id)).toBe(true);
});

test('clients that nobody uses leave before one that a person uses', async () => {
  const token = await start(0);
  await connect(schools.browser('sam'), schools.harbour, memberApp);
  expect([await noted(reports.id), await noted('other-1')]).toEqual([true, false]);
  expect((await userinfo(schools.harbour, token)).status).toBe(200);
  expect(events.filter(({ action }) => action === 'connection.ended')).toEqual([]);
});

test('installations that register under the name of an app count as one app, whatever happens to their connections', async () => {
  store = memoryStore();
  schools = await startSchools({ campus: { store, registration: [loopbackClients()] } });
  const { connections } = schools.campus;
  const site = harbourSite(schools.harbour);
  for (const port of [1, 2]) {
    const client = await register(`http://127.0.0.1:4915${port}/callback`, 'Claude Code');
    await connect(schools.browser('olivia'), schools.harbour, client);
  }
  await connect(schools.browser('olivia'), schools.harbour, reports);
  const use = async (): Promise<unknown> => (await store.clientsByUse('harbour', { limit: 10 })).entries;
  const ofReports = { clientId: reports.id, grants: 1 };
  expect(await use()).toEqual([{ app: 'claude-code?', grants: 2 }, ofReports]);
  const [first, second] = (await connections.list(site, 'olivia')).filter(({ clientId }) => clientId !== reports.id);
  await connections.narrow(site, 'olivia', first?.id ?? '', ['courses:read']);
  expect(await use()).toEqual([{ app: 'claude-code?', grants: 2 }, ofReports]);
  await connections.revoke(site, 'olivia', second?.id ?? '');
  expect(await use()).toHaveLength(2);
  const { entries } = await store.grantsOf('harbour', { app: 'claude-code?', limit: 10 });
  expect(entries).toEqual([{ id: first?.id, memberId: 'olivia' }]);
});

test('a registration takes no place in the list, and neither do people who decline it or may not use it', async () => {
  store = memoryStore();
  schools = await startSchools({ campus: { store, registration: [loopbackClients()] } });
  const client = await register('http://127.0.0.1:49152/callback');
  const listed = (): Promise<string[]> => store.list('harbour', 'ConnectedClient');
  const request = authorizeUrl(schools.harbour, client, pkce());
  const olivia = schools.browser('olivia');
  expect(decisionsOn((await schools.browser('sam').follow(request)).html)).not.toContain('allow');
  await olivia.decide(await olivia.follow(request), 'deny');
  expect(await listed()).toEqual([]);
  await connect(olivia, schools.harbour, client);
  expect(await listed()).toHaveLength(1);
});
