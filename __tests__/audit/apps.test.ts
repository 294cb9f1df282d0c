import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AuditEvent, Site } from '../../lib/index.ts';
import type { Tool } from '../../lib/mcp/index.ts';
import { loopbackClients } from '../../policies/index.ts';
import { csrfOf } from '../helpers/browser.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { authorizeUrl, connect, jsonResponse, pkce, postForm, refresh, type TestClient } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { callTool } from '../mcp/rpc.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { serviceToken, withServices } from '../helpers/services.ts';

const tool: Tool<unknown, 'operator' | 'service'> = {
  name: 'count',
  description: 'Counts.',
  access: { scopes: ['courses:read'], audience: ['operator', 'service'] },
  run: () => 'done',
};

let schools: Schools;
let events: AuditEvent[];
beforeEach(async () => {
  schools = await startSchools({
    mcp: { tools: [tool] },
    campus: { ...withServices, registration: [loopbackClients()] },
  });
  events = [];
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterEach(async () => {
  resetClock();
  await schools.close();
});

const site = (): Site => ({
  id: 'harbour',
  origin: schools.harbour,
  name: 'Harbour School',
  connectionsEnabled: true,
});

/** A client that registered itself: only its record names its app. */
async function terminal(): Promise<TestClient> {
  const redirectUri = 'http://127.0.0.1:50123/callback';
  const body = JSON.stringify({ client_name: 'Claude Code', redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
  const id = String((await jsonResponse(response)).body['client_id']);
  return { id, redirectUri, scope: 'openid profile courses:read' };
}

/** What was reported since the last time, and of which app. */
function reported(): readonly (readonly [string, string | undefined])[] {
  return events.splice(0).map(({ action, app }) => [action, app]);
}

async function submit(person: string, path: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const browser = schools.browser(person);
  const { url, html } = await browser.follow(`${schools.harbour}${path}`);
  const version = readPage(html).fields.get('version') ?? '';
  const body = new URLSearchParams({ csrf: csrfOf(html), version, ...fields });
  await browser.follow(url, { method: 'POST', body });
}

test('what the engine and the consent page report of a client has the app that its record names', async () => {
  const client = await terminal();
  expect(reported()).toEqual([['registration.admitted', 'claude-code']]);
  const { body } = await connect(schools.browser('olivia'), schools.harbour, client);
  expect(reported()).toEqual([
    ['consent.given', 'claude-code'],
    ['authorization.granted', 'claude-code'],
    ['token.issued', 'claude-code'],
  ]);
  for (let i = 0; i < 2; i += 1) await refresh(schools.harbour, client, body['refresh_token']);
  await refresh(schools.harbour, client, body['refresh_token'], { scope: 'openid' });
  setClockAhead(31);
  await refresh(schools.harbour, client, body['refresh_token']);
  expect(reported()).toEqual([
    ['token.refreshed', 'claude-code'],
    ['token.replayed', 'claude-code'],
    ['token.lost_race', 'claude-code'],
    ['token.revoked', 'claude-code'],
    ['token.reused', 'claude-code'],
  ]);
  const browser = schools.browser('olivia');
  await browser.decide(await browser.follow(authorizeUrl(schools.harbour, client, pkce())), 'deny');
  expect(reported()).toEqual([['consent.denied', 'claude-code']]);
});

test('so has what the pages of people and operators do with it', async () => {
  const client = await terminal();
  await connect(schools.browser('olivia'), schools.harbour, client);
  const [connection] = await schools.campus.connections.list(site(), 'olivia');
  const apps = '/account/apps';
  const console = `/developers/apps?client=${client.id}`;
  reported();
  await submit('olivia', `${apps}/${connection?.id}`, { scope: 'openid' });
  await submit('olivia', `${apps}/${connection?.id}`, { action: 'end' });
  expect(reported()).toEqual([
    ['connection.narrowed', 'claude-code'],
    ['connection.ended', 'claude-code'],
  ]);
  await connect(schools.browser('olivia'), schools.harbour, client);
  reported();
  await submit('olivia', console, { action: 'end', client: client.id });
  expect(reported()).toEqual([['connection.ended', 'claude-code']]);
  await connect(schools.browser('olivia'), schools.harbour, client);
  reported();
  await submit('olivia', console, { action: 'rule', access: 'blocked', client: client.id, confirmed: 'yes' });
  await submit('olivia', console, { action: 'rule', access: 'default', client: client.id });
  expect(reported()).toEqual([
    ['app.decided', 'claude-code'],
    ['connection.ended', 'claude-code'],
    ['app.decided', 'claude-code'],
  ]);
});

test('a connected client keeps its app, by which a rule for the app finds it', async () => {
  const client = await terminal();
  const { body } = await connect(schools.browser('olivia'), schools.harbour, client);
  expect(await schools.campus.apps.find(site(), 'claude-code')).toMatchObject({ people: 1 });
  reported();
  await callTool(schools.harbour, 'count', {}, { token: String(body['access_token']) });
  expect(reported()).toEqual([['tool.called', 'claude-code']]);
});

test('and a service, whose record is read at each call', async () => {
  const input = { clientName: 'Sync', audience: 'service', scopes: ['courses:read'], app: 'claude' } as const;
  const created = await schools.campus.applications.create(site(), input);
  const { application, clientSecret: secret = '' } = created;
  const service: TestClient = { id: application.clientId, redirectUri: '', secret, scope: 'courses:read' };
  reported();
  const { body } = await serviceToken(schools.harbour, service);
  const token = String(body['access_token']);
  await callTool(schools.harbour, 'count', {}, { token });
  await postForm(`${schools.harbour}/api/oauth/revoke`, { token, client_id: service.id, client_secret: secret });
  expect(reported()).toEqual([
    ['token.issued', 'claude'],
    ['tool.called', 'claude'],
    ['token.revoked', 'claude'],
  ]);
});
