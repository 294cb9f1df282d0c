import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../../policies/index.ts';
import { decisionsOn } from '../../helpers/browser.ts';
import {
  authorize,
  authorizeUrl,
  connect,
  jsonResponse,
  type JsonResponse,
  memberApp,
  pkce,
  reports,
  type TestClient,
} from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { foreignToAll, apps } from './registering-apps.ts';

let schools: Schools;
beforeAll(async () => {
  const registration = [vendorPlatforms(wellKnownVendors), loopbackClients()];
  schools = await startSchools({ campus: { registration, limits: false } });
});
afterAll(() => schools.close());

const ours = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};

async function register(body: object): Promise<JsonResponse> {
  const { token_endpoint_auth_method: _none, ...common } = ours;
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const text = JSON.stringify({ ...common, ...body });
  return jsonResponse(await fetch(`${schools.harbour}/api/oauth/register`, { ...init, body: text }));
}

async function registered(body: object, redirectUri: string): Promise<TestClient> {
  const { status, body: response } = await register(body);
  expect(status).toBe(201);
  return { id: String(response['client_id']), redirectUri, scope: 'openid courses:read' };
}

async function expectStop(client: TestClient, redirectUri: string): Promise<void> {
  const url = authorizeUrl(schools.harbour, client, pkce(), { redirect_uri: redirectUri });
  const page = await schools.browser('olivia').fetch(url);
  expect([redirectUri, page.status, page.headers.get('location')]).toEqual([redirectUri, 400, null]);
}

const admitted = apps.filter(({ outcome }) => outcome !== 'refused').map((row) => [row.app, row] as const);
const refused = apps.filter(({ outcome }) => outcome === 'refused').map((row) => [row.app, row] as const);

describe.each(admitted)('%s', (_app, { body, outcome, uses, destination, foreign = [] }) => {
  test('registers, and gets what the server offers', async () => {
    const response = await register(body);
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject(ours);
    expect(response.body).not.toHaveProperty('client_secret');
    if (outcome === 'admitted') {
      expect(response.body['client_id']).toMatch(/^reg-/);
      expect(response.body['redirect_uris']).toEqual(body.redirect_uris);
    } else {
      expect(response.body['client_id']).toBe(outcome);
      expect(response.body['redirect_uris']).toEqual(expect.arrayContaining([...body.redirect_uris]));
    }
  });

  test('reaches the consent page, which says where it leads, and then gets a code there', async () => {
    const client = await registered(body, uses);
    const browser = schools.browser('olivia');
    const page = await browser.follow(authorizeUrl(schools.harbour, client, pkce()));
    expect(page.response.status).toBe(200);
    if (destination !== undefined) expect(readPage(page.html).facts['Sends you to']).toBe(destination);
    expect(page.html.includes('name not verified')).toBe(outcome === 'admitted');
    expect(/Any app on this (?:computer|device) can call itself/.test(page.html)).toBe(!uses.startsWith('https:'));
    const end = await browser.decide(page, 'allow');
    expect(end.url.href.slice(0, uses.length + 1)).toBe(`${uses}${uses.includes('?') ? '&' : '?'}`);
    expect(end.url.searchParams.get('code')).toBeTruthy();
  });

  test('is asked again the next time, and its tokens work', async () => {
    const client = await registered(body, uses);
    const browser = schools.browser('olivia');
    expect((await connect(browser, schools.harbour, client)).status).toBe(200);
    const again = await browser.follow(authorizeUrl(schools.harbour, client, pkce()));
    expect(decisionsOn(again.html)).toContain('allow');
  });

  test('stops at a page with a redirect URI that is not its own', async () => {
    const client = await registered(body, uses);
    for (const uri of [...foreign, ...foreignToAll]) await expectStop(client, uri);
  });
});

test.each(refused)('%s: invalid_redirect_uri', async (_app, { body }) => {
  expectError(await register(body), 400, 'invalid_redirect_uri');
});

describe('a vendor’s scheme and prefix', () => {
  const scheme = 'cursor://anysphere.cursor-mcp/oauth/callback';
  const tool = 'https://global.consent.azure-apim.net/redirect/tool';

  test('serve no other client', async () => {
    const loopback = await registered({ redirect_uris: ['http://127.0.0.1/cb'] }, '');
    const other = await registered({ client_name: 'Copilot Studio', redirect_uris: [`${tool}-2`] }, '');
    const known = ['claude', 'chatgpt', 'visual-studio-code'].map((id) => ({ ...loopback, id }));
    for (const client of [loopback, other, ...known, memberApp, reports]) {
      await expectStop(client, scheme);
      await expectStop(client, tool);
    }
    await expectStop({ ...loopback, id: 'cursor' }, tool);
  });

  test.each([
    ['under another name', { client_name: 'Mine', redirect_uris: [scheme] }],
    ['beside a loopback address', { client_name: 'Mine', redirect_uris: ['http://127.0.0.1/cb', scheme] }],
    ['another path', { client_name: 'Copilot Studio', redirect_uris: [`${tool}/more`] }],
    ['beside another address', { client_name: 'Copilot Studio', redirect_uris: [tool, 'https://evil.example/'] }],
    ['beside a loopback address', { client_name: 'Copilot Studio', redirect_uris: [tool, 'http://127.0.0.1/cb'] }],
  ])('cannot be registered %s', async (_what, body) => {
    expectError(await register(body), 400, 'invalid_redirect_uri');
  });

  test('two tools of one vendor are two clients, and a code of one is not sent to the other', async () => {
    const one = await registered({ client_name: 'Copilot Studio', redirect_uris: [`${tool}-1`] }, `${tool}-1`);
    const two = await registered({ client_name: 'Copilot Studio', redirect_uris: [`${tool}-2`] }, `${tool}-2`);
    expect(one.id).not.toBe(two.id);
    await expectStop(one, two.redirectUri);
    const { url } = await authorize(schools.browser('olivia'), authorizeUrl(schools.harbour, one, pkce()));
    expect(url.href.startsWith(`${one.redirectUri}?`)).toBe(true);
  });
});
