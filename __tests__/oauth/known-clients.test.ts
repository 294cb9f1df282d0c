import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App, AuditEvent, Site } from '../../lib/index.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { connect, jsonResponse, refresh, type TestClient } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
const seen: App[] = [];
const events: AuditEvent[] = [];
const bot = {
  id: 'harbour-bot',
  name: 'Harbour Bot',
  publisher: 'Harbour School',
  homePage: 'https://harbour.example',
};
const staticClient = {
  clientId: 'bot',
  clientName: 'Bot',
  audience: 'operator',
  redirectUris: ['https://bot.example/callback'],
  scopes: ['openid', 'courses:read'],
  app: bot,
} as const;

beforeAll(async () => {
  schools = await startSchools({
    campus: {
      registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
      clients: [staticClient],
      access: [({ app }) => void seen.push(app)],
    },
  });
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterAll(() => schools.close());

const site = (): Site => harbourSite(schools.harbour);

async function register(client_name: string, redirectUri: string): Promise<TestClient> {
  const body = JSON.stringify({ client_name, redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const response = await jsonResponse(
    await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body }),
  );
  expect(response.body).not.toHaveProperty('campus_app');
  return { id: String(response.body['client_id']), redirectUri, scope: 'openid courses:read' };
}

const copilot = 'https://global.consent.azure-apim.net/redirect/a';

test.each([
  ['loopback', () => register('Codex', 'http://127.0.0.1/callback'), { id: 'codex', name: 'Codex', verified: false }],
  [
    'a vendor with one client',
    () => register('Claude', 'https://claude.ai/api/mcp/auth_callback'),
    { id: 'claude', publisher: 'Anthropic', verified: true },
  ],
  ['a vendor with many', () => register('x', copilot), { id: 'copilot-studio', verified: true }],
  [
    'code',
    async () => ({ id: 'bot', redirectUri: 'https://bot.example/callback', scope: 'openid courses:read' }),
    { ...bot, verified: true },
  ],
  ['none that is known', () => register('A tool', 'http://127.0.0.1/callback'), undefined],
])('%s: the app is in policies, audit events, connections and the console', async (_way, make, app) => {
  events.length = seen.length = 0;
  const client = await make();
  const { body } = await connect(schools.browser('olivia'), schools.harbour, client);
  await refresh(schools.harbour, client, body['refresh_token']);
  const expected = app === undefined ? undefined : expect.objectContaining(app);
  const { id, claimedId, verified } = seen[0] ?? {};
  expect(seen).toEqual(seen.map(() => seen[0]));
  const known = app?.verified ? { id: app.id } : { claimedId: app?.id };
  expect({ id, claimedId, verified }).toEqual({
    id: undefined,
    claimedId: undefined,
    verified: app?.verified === true,
    ...known,
  });
  const actions = ['consent.given', 'authorization.granted', 'token.issued', 'token.refreshed'];
  const told = events.filter(({ action }) => actions.includes(action) || action === 'registration.admitted');
  expect(told.map(({ action }) => action)).toEqual(expect.arrayContaining(actions));
  expect(new Set(told.map((event) => event.app))).toEqual(new Set([app?.id]));
  const { connections } = schools.campus;
  const [connection] = await connections.list(site(), 'olivia', { search: client.id });
  expect(connection?.app).toEqual(expected);
  expect((await schools.campus.apps.find(site(), { clientId: client.id })).app).toEqual(app?.id);
  const page = `${schools.harbour}/developers/apps?client=${encodeURIComponent(client.id)}`;
  const { html } = await schools.browser('olivia').follow(page);
  const { App: shown } = readPage(html).facts;
  expect(shown).toEqual(app && connection?.app?.id);
  await schools.campus.connections.revokeAll(site(), 'olivia');
});
