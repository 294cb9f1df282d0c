import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Site } from '../../lib/index.ts';
import { type Browser, csrfOf, type Stop } from '../helpers/browser.ts';
import { type ClientKey, clientKey, keyFields, serviceTokenWith } from '../helpers/client-keys.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { withServices } from '../helpers/services.ts';

let first: ClientKey;
let second: ClientKey;
beforeAll(async () => {
  [first, second] = await Promise.all([clientKey(), clientKey('ES256', 'key-2')]);
});

let schools: Schools;
afterEach(() => schools.close());

const at = (rest = ''): string => `${schools.harbour}/developers/oauth-applications${rest}`;
const site = (): Site => ({ id: 'harbour', origin: schools.harbour, name: 'Harbour School', connectionsEnabled: true });
const set = (...given: ClientKey[]): string => JSON.stringify({ keys: given.map(({ publicJwk }) => publicJwk) });

async function start(): Promise<Browser> {
  schools = await startSchools({ campus: { ...withServices, clientAuthentication: ['private_key_jwt'] } });
  return schools.browser('olivia');
}

async function submit(browser: Browser, url: string, fields: Readonly<Record<string, string>>): Promise<Stop> {
  const { html } = await browser.follow(url);
  const version = /name="version" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const body = new URLSearchParams({ csrf: csrfOf(html), version, ...fields });
  return browser.follow(url, { method: 'POST', body });
}

const filled = { name: 'Library', scope: 'courses:read' };

async function create(browser: Browser): Promise<string> {
  const { html } = await submit(browser, at('/new?audience=service'), { ...filled, public_keys: set(first) });
  expect(html).toContain('The program proves with its private key who it is');
  expect(html).not.toContain('id="client_secret"');
  return /id="client_id"[^>]*>\n([^<]+)</.exec(html)?.[1] ?? '';
}

test('an operator creates a service with a key in place of a secret, and replaces the key', async () => {
  const browser = await start();
  const id = await create(browser);
  const ask = async (key: ClientKey): Promise<number> =>
    (await serviceTokenWith(schools.harbour, await keyFields(id, schools.harbour, key))).status;
  expect(await ask(first)).toBe(200);
  const { html } = await browser.follow(at(`/${id}`));
  expect(html).toContain('its own key');
  expect(html).not.toMatch(/confirm=rotate|\$CLIENT_SECRET/);
  const { html: saved } = await submit(browser, at(`/${id}`), { ...filled, action: 'save', public_keys: set(second) });
  expect(saved).toContain('key-2');
  expect([await ask(first), await ask(second)]).toEqual([401, 200]);
});

test('an address is as good; nothing else is, and what was entered stays', async () => {
  const browser = await start();
  const id = await create(browser);
  const address = 'https://keys.example/jwks.json';
  await submit(browser, at(`/${id}`), { ...filled, action: 'save', public_keys: address });
  expect(await schools.campus.applications.find(site(), id)).toMatchObject({ publicKeys: address });
  const { response, html } = await submit(browser, at(`/${id}`), { ...filled, action: 'save', public_keys: '' });
  expect(response.status).toBe(400);
  expect(html).toContain('Enter at least one key');
  const secret = { ...first.publicJwk, d: 'AQAB' };
  for (const wrong of ['{', 'http://keys.example/', JSON.stringify({ keys: [secret] })]) {
    const again = await submit(browser, at('/new?audience=service'), { ...filled, public_keys: wrong });
    expect(again.response.status).toBe(400);
    expect(again.html).toContain('Enter a JSON Web Key Set with public keys');
  }
  const member = { name: 'App', redirect_uris: 'https://a.example/', scope: 'openid', kind: 'public' };
  const refused = await submit(browser, at('/new?audience=member'), { ...member, public_keys: set(first) });
  expect([refused.response.status, refused.html.includes(first.kid)]).toEqual([400, true]);
});

test('without the option the form has no field for keys', async () => {
  schools = await startSchools({ campus: withServices });
  const { html } = await schools.browser('olivia').follow(at('/new?audience=service'));
  expect(html).not.toContain('public_keys');
});
