import { afterEach, expect, test } from '@jest/globals';
import type { Site } from '../../lib/index.ts';
import { type Browser, csrfOf, type Stop } from '../helpers/browser.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { serviceToken, withServices } from '../helpers/services.ts';

let schools: Schools;
afterEach(() => schools.close());

const at = (rest = ''): string => `${schools.harbour}/developers/oauth-applications${rest}`;
const site = (): Site => ({ id: 'harbour', origin: schools.harbour, name: 'Harbour School', connectionsEnabled: true });

async function submit(browser: Browser, url: string, fields: readonly (readonly [string, string])[]): Promise<Stop> {
  const { html } = await browser.follow(url);
  const body = new URLSearchParams([['csrf', csrfOf(html)], ...fields.map(([name, value]) => [name, value])]);
  return browser.follow(url, { method: 'POST', body });
}

const textOn = (html: string, id: string): string => new RegExp(`id="${id}"[^>]*>\\n([^<]+)<`).exec(html)?.[1] ?? '';

const filled = [
  ['name', 'Library'],
  ['scope', 'courses:read'],
  ['scope', 'students:read'],
] as const;

test('an operator creates a service; its secret, shown once, gets a token', async () => {
  schools = await startSchools({ campus: withServices });
  const browser = schools.browser('olivia');
  const { html: list } = await browser.follow(at());
  expect(list).toContain('href="/developers/oauth-applications/new?audience=service"');
  expect(list).toContain('The operator who creates it is responsible for it');
  const { html } = await submit(browser, at('/new?audience=service'), filled);
  const [id, secret] = [textOn(html, 'client_id'), textOn(html, 'client_secret')];
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

test('the form of a service has no redirect URI, no kind and no permission of people', async () => {
  schools = await startSchools({ campus: withServices });
  const { html } = await schools.browser('olivia').follow(at('/new?audience=service'));
  expect(html).toContain('it keeps its access when people leave');
  const scopes = [...html.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope = '']) => scope);
  expect(scopes).toContain('students:write');
  expect(scopes.filter((scope) => /^(?:openid|profile|email)$|^account:/.test(scope))).toEqual([]);
  expect(html).not.toMatch(/name="(?:redirect_uris|kind)"/);
});

test('what is wrong is said beside its field, and the link of the summary leads to a box that exists', async () => {
  schools = await startSchools({ campus: withServices });
  const { response, html } = await submit(schools.browser('olivia'), at('/new?audience=service'), [['name', '']]);
  expect(response.status).toBe(400);
  for (const [, anchor = ''] of html.matchAll(/<li><a href="#([^"]+)"/g)) expect(html).toContain(`id="${anchor}"`);
  const forged = [
    ...filled,
    ['scope', 'account:read'],
    ['scope', 'openid'],
    ['redirect_uris', 'https://evil.example/'],
  ] as const;
  expect((await submit(schools.browser('olivia'), at('/new?audience=service'), forged)).response.status).toBe(400);
  expect(await schools.campus.applications.list(site())).toEqual([]);
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
  for (const rest of ['', `/${application.clientId}`]) {
    const { html } = await browser.follow(at(rest));
    expect(html.replaceAll(/<[^>]*>/g, '')).toMatch(/Created by .*Olivia Owner/);
    expect(html).not.toMatch(/Nobody is connected/);
  }
  const { html } = await browser.follow(at(`/${application.clientId}?view=start`));
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
  expect((await browser.follow(at('/new?audience=service'))).html).toContain('name="redirect_uris"');
});
