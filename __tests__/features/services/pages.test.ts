import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Site } from '../../../lib/index.ts';
import { type Browser, csrfOf, type Stop } from '../../helpers/browser.ts';
import { type ClientKey, clientKey, keyFields, serviceTokenWith } from '../../helpers/client-keys.ts';
import { type Part, readPage } from '../../helpers/page.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { serviceToken, withServices } from '../../helpers/services.ts';
import { harbourSite } from '../../helpers/sites.ts';

let schools: Schools;
afterEach(() => schools.close());

const at = (rest = ''): string => `${schools.harbour}/developers/oauth-applications${rest}`;
const site = (): Site => harbourSite(schools.harbour);

async function submit(browser: Browser, url: string, fields: readonly (readonly [string, string])[]): Promise<Stop> {
  const { html } = await browser.follow(url);
  const body = new URLSearchParams([['csrf', csrfOf(html)], ...fields.map(([name, value]) => [name, value])]);
  return browser.follow(url, { method: 'POST', body });
}

/** The links of the summary above a form. */
const problemsOn = (html: string): Part[] => readPage(html).getByRole('alert').getAllByRole('link');

const filled = [
  ['name', 'Library'],
  ['scope', 'courses:read'],
  ['scope', 'students:read'],
] as const;

test('an administrator creates a service; its secret, shown once, gets a token', async () => {
  schools = await startSchools({ campus: withServices });
  const browser = schools.browser('olivia');
  const { html: list } = await browser.follow(at());
  const create = readPage(list).getByRole('link', { name: /^Service It runs by itself/ });
  expect(create.href).toBe('/developers/oauth-applications/new?audience=service');
  const blank = await browser.follow(at('/new?audience=service'));
  expect(blank.html).toContain('The administrator who adds it is responsible for it');
  const { html } = await submit(browser, at('/new?audience=service'), filled);
  const page = readPage(html);
  const [id, secret] = [page.getByLabelText('Client ID').value, page.getByLabelText('Client secret').value];
  expect(secret).toMatch(/^[\w-]{43}$/);
  const application = await schools.campus.applications.find(site(), id);
  expect(application).toMatchObject({
    audience: 'service',
    clientName: 'Library',
    confidential: true,
    createdBy: 'olivia',
    redirectUris: [],
    scopes: ['courses:read', 'students:read'],
  });
  const { status } = await serviceToken(schools.harbour, { id, secret, redirectUri: '', scope: '' });
  expect(status).toBe(200);
  const { html: again } = await browser.follow(at(`/${id}`));
  expect(again).not.toContain(secret);
});

test('the pages of a service speak of nobody who connects it', async () => {
  schools = await startSchools({ campus: withServices });
  const browser = schools.browser('olivia');
  const people = /People who are connected|See what people are asked|Permissions it can request/;
  const pagesOf = async (audience: 'service' | 'member'): Promise<readonly string[]> => {
    const shared = { clientName: 'Library', confidential: true } as const;
    const own =
      audience === 'service'
        ? { audience, scopes: ['courses:read'] as const }
        : { audience, scopes: ['openid'] as const, redirectUris: ['https://library.example/callback'] };
    const { application } = await schools.campus.applications.create(site(), { ...shared, ...own });
    const addresses = [`/${application.clientId}`, `/${application.clientId}?confirm=rotate`];
    return Promise.all(addresses.map(async (rest) => (await browser.follow(at(rest))).html));
  };
  for (const html of await pagesOf('service')) expect(html).not.toMatch(people);
  for (const html of await pagesOf('member')) expect(html).toMatch(people);
});

test('a service is removed with its access, and not with connections of people', async () => {
  schools = await startSchools({ campus: withServices });
  const service = { audience: 'service', clientName: 'Library', scopes: ['courses:read'] } as const;
  const { application } = await schools.campus.applications.create(site(), service);
  const browser = schools.browser('olivia');
  const path = at(`/${application.clientId}`);
  const asked = await browser.follow(`${path}?confirm=remove`);
  readPage(asked.html).getByRole('heading', { name: 'Remove the service Library?', level: 1 });
  expect(readPage(asked.html).getByRole('main').text).not.toMatch(/[Nn]obody|people|connect/);
  const version = readPage(asked.html).field('version');
  const { html } = await submit(browser, path, [
    ['action', 'remove'],
    ['version', version],
  ]);
  expect(readPage(html).getByRole('status').text).toBe('The service was removed. Its access has ended.');
});

test('the form of a service has no redirect URI, no kind and no permission of people', async () => {
  schools = await startSchools({ campus: withServices });
  const { html } = await schools.browser('olivia').follow(at('/new?audience=service'));
  expect(html).toContain('it keeps its access when people leave');
  const controls = readPage(html).getAll((part) => part.attribute('name') !== undefined);
  const scopes = controls.filter((part) => part.attribute('name') === 'scope').map(({ value }) => value);
  expect(scopes).toContain('students:write');
  expect(scopes.filter((scope) => /^(?:openid|profile|email)$|^account:/.test(scope))).toEqual([]);
  const names = controls.map((part) => part.attribute('name'));
  expect(names.filter((name) => name === 'redirect_uris' || name === 'kind')).toEqual([]);
});

test('what is wrong is said beside its field, and the link of the summary leads to a box that exists', async () => {
  schools = await startSchools({ campus: withServices });
  const { response, html } = await submit(schools.browser('olivia'), at('/new?audience=service'), [['name', '']]);
  expect(response.status).toBe(400);
  expect(problemsOn(html).length).toBeGreaterThan(0);
  for (const { href } of problemsOn(html)) expect(readPage(html).getById(href.slice(1))).toBeDefined();
  const forged = [
    ...filled,
    ['scope', 'account:read'],
    ['scope', 'openid'],
    ['redirect_uris', 'https://evil.example/'],
  ] as const;
  expect((await submit(schools.browser('olivia'), at('/new?audience=service'), forged)).response.status).toBe(400);
  expect(await schools.campus.applications.list(site())).toEqual([]);
});

test('the links of a conflict lead to fields that exist', async () => {
  schools = await startSchools({ campus: withServices });
  const library = { audience: 'service', clientName: 'Library', scopes: ['courses:read'] } as const;
  const { application } = await schools.campus.applications.create(site(), library);
  const path = at(`/${application.clientId}`);
  const save = [...filled, ['action', 'save']] as const;
  const { response, html } = await submit(schools.browser('olivia'), path, [...save, ['version', 'an earlier one']]);
  expect(response.status).toBe(409);
  expect(problemsOn(html).length).toBeGreaterThan(0);
  for (const { href } of problemsOn(html)) expect(readPage(html).getById(href.slice(1))).toBeDefined();
});

test('the page of a service shows who created it, its examples and no person', async () => {
  schools = await startSchools({ campus: withServices });
  const { application } = await schools.campus.applications.create(site(), {
    audience: 'service',
    clientName: 'Library',
    scopes: ['courses:read'],
    createdBy: 'olivia',
  });
  const browser = schools.browser('olivia');
  const list = readPage((await browser.follow(at(''))).html);
  list.getByRole('row', { text: /^Library Service Allowed – never$/ });
  const { html } = await browser.follow(at(`/${application.clientId}`));
  const page = readPage(html);
  expect(page.text).toMatch(/Service · created by .*Olivia Owner/);
  expect(page.getByRole('main').text).not.toMatch(/connected|People|sign in/);
  expect(html).toContain('grant_type=client_credentials');
  expect(html).not.toContain('code_verifier');
  const changed = [...filled, ['action', 'save'], ['version', application.version]] as const;
  await submit(browser, at(`/${application.clientId}`), changed);
  expect(await schools.campus.applications.find(site(), application.clientId)).toMatchObject({
    scopes: ['courses:read', 'students:read'],
  });
});

test('the pages say it in the other language, too', async () => {
  schools = await startSchools({ campus: withServices });
  const { html } = await schools.browser('olivia').follow(at('/new?audience=service&language=zh-Hant'));
  expect(html).toContain('代表');
});

test('without the grant there is no such form', async () => {
  schools = await startSchools();
  const browser = schools.browser('olivia');
  expect((await browser.follow(at())).html).not.toContain('audience=service');
  readPage((await browser.follow(at('/new?audience=service'))).html).getByLabelText('Redirect URIs');
});

let first: ClientKey;
let second: ClientKey;
beforeAll(async () => {
  [first, second] = await Promise.all([clientKey(), clientKey('ES256', 'key-2')]);
});

async function post(browser: Browser, url: string, fields: Readonly<Record<string, string>>): Promise<Stop> {
  const { html } = await browser.follow(url);
  const version = readPage(html).fields.get('version') ?? '';
  return submit(browser, url, Object.entries({ version, ...fields }));
}

const keySet = (...given: ClientKey[]): string => JSON.stringify({ keys: given.map(({ publicJwk }) => publicJwk) });

async function startWithKeys(): Promise<Browser> {
  schools = await startSchools({ campus: { ...withServices, clientAuthentication: ['private_key_jwt'] } });
  return schools.browser('olivia');
}

const library = { name: 'Library', scope: 'courses:read' };

async function createWithKey(browser: Browser): Promise<string> {
  const { html } = await post(browser, at('/new?audience=service'), { ...library, public_keys: keySet(first) });
  expect(html).toContain('The app proves with its private key who it is');
  const page = readPage(html);
  expect(page.queryByRole('textbox', { name: 'Client secret' })).toBeUndefined();
  return page.getByLabelText('Client ID').value;
}

test('an administrator creates a service with a key in place of a secret, and replaces the key', async () => {
  const browser = await startWithKeys();
  const id = await createWithKey(browser);
  const ask = async (key: ClientKey): Promise<number> =>
    (await serviceTokenWith(schools.harbour, await keyFields(id, schools.harbour, key))).status;
  expect(await ask(first)).toBe(200);
  const { html } = await browser.follow(at(`/${id}`));
  expect(html).toContain('its own key');
  expect(html).not.toMatch(/confirm=rotate|\$CLIENT_SECRET/);
  const { html: saved } = await post(browser, at(`/${id}`), {
    ...library,
    action: 'save',
    public_keys: keySet(second),
  });
  expect(saved).toContain('key-2');
  expect([await ask(first), await ask(second)]).toEqual([401, 200]);
});

test('an address is as good; nothing else is, and what was entered stays', async () => {
  const browser = await startWithKeys();
  const id = await createWithKey(browser);
  const address = 'https://keys.example/jwks.json';
  await post(browser, at(`/${id}`), { ...library, action: 'save', public_keys: address });
  expect(await schools.campus.applications.find(site(), id)).toMatchObject({ publicKeys: address });
  const { response, html } = await post(browser, at(`/${id}`), { ...library, action: 'save', public_keys: '' });
  expect(response.status).toBe(400);
  expect(html).toContain('Enter at least one key');
  const secret = { ...first.publicJwk, d: 'AQAB' };
  for (const wrong of ['{', 'http://keys.example/', JSON.stringify({ keys: [secret] })]) {
    const again = await post(browser, at('/new?audience=service'), { ...library, public_keys: wrong });
    expect(again.response.status).toBe(400);
    expect(again.html).toContain('Enter a JSON Web Key Set with public keys');
  }
  const member = { name: 'App', redirect_uris: 'https://a.example/', scope: 'openid', kind: 'public' };
  const refused = await post(browser, at('/new?audience=member'), { ...member, public_keys: keySet(first) });
  expect([refused.response.status, refused.html.includes(first.kid)]).toEqual([400, true]);
});

test('without the option the form has no field for keys', async () => {
  schools = await startSchools({ campus: withServices });
  const { html } = await schools.browser('olivia').follow(at('/new?audience=service'));
  expect(html).not.toContain('public_keys');
});
