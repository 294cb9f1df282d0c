import { afterEach, describe, expect, test } from '@jest/globals';
import type { AccessPolicy } from '../../lib/index.ts';
import { loopbackClients } from '../../policies/loopback-clients.ts';
import { vendorPlatforms } from '../../policies/vendors/vendor-platforms.ts';
import { csrfOf, type Browser, type Stop } from '../helpers/browser.ts';
import { authorizeUrl, connect, exchange, memberApp, pkce, refresh, webMemberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { standardScopes } from '../helpers/scopes.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
afterEach(() => schools.close());

const scope = 'openid profile email account:read account:write';
const request = (changes = {}, pair = pkce()): URL =>
  authorizeUrl(schools.harbour, webMemberApp, pair, { scope, ...changes });

/** Submits the consent form as a browser does, with these checkboxes ticked. */
function allow(browser: Browser, { url, html }: Stop, ticked: readonly string[]): Promise<Stop> {
  const body = new URLSearchParams({ csrf: csrfOf(html), choice: 'shown', decision: 'allow' });
  for (const each of ticked) body.append('scope', each);
  return browser.follow(url, { method: 'POST', body });
}

/** The checkboxes of a page by the scope that they stand for, and whether each is ticked. */
function checkboxes(html: string): Record<string, boolean> {
  const boxes = readPage(html).getAllByRole('checkbox');
  return Object.fromEntries(boxes.map(({ value, checked }) => [value, checked]));
}

/** What is marked beside a permission, by its scope. */
function marksOn(html: string): Record<string, string> {
  const boxes = readPage(html).getAllByRole('checkbox');
  const marked = boxes.map(({ value, name }) => [value, / (new|you left this out before)$/.exec(name)?.[1]] as const);
  return Object.fromEntries(marked.flatMap(([name, mark]) => (mark === undefined ? [] : [[name, mark]])));
}

/** What is marked, and the checkboxes that are folded away because they were allowed before. */
function earlierOn(html: string): [Record<string, string>, Record<string, boolean>] {
  const folded = readPage(html).queryByRole('group', { name: /^Already allowed: 1/ });
  const boxes = folded?.getAllByRole('checkbox') ?? [];
  return [marksOn(html), Object.fromEntries(boxes.map(({ value, checked }) => [value, checked]))];
}

async function tokensFor(browser: Browser, ticked: readonly string[], changes = {}): Promise<Record<string, unknown>> {
  const pair = pkce();
  const { url } = await allow(browser, await browser.follow(request(changes, pair)), ticked);
  const code = url.searchParams.get('code') ?? '';
  const { body } = await exchange({ origin: schools.harbour, client: webMemberApp, code, verifier: pair.verifier });
  return body;
}

describe('the scopes ticked at consent', () => {
  test('are what is granted and returned in the token response; a refresh grants no more', async () => {
    schools = await startSchools();
    const tokens = await tokensFor(schools.browser('sam'), ['account:read']);
    expect(tokens['scope']).toBe('openid profile email account:read');
    const refreshed = await refresh(schools.harbour, webMemberApp, tokens['refresh_token']);
    expect(refreshed.body['scope']).toBe('openid profile email account:read');
  });

  test('cannot exceed the requested scopes, nor those that a consent policy permits', async () => {
    const policy: AccessPolicy = ({ scopes }) => ({ scopes: scopes.filter((each) => each !== 'account:write') });
    schools = await startSchools({ campus: { access: [policy] } });
    const ticked = ['account:read', 'email', 'account:write', 'courses:write', 'nonsense'];
    const asked = { scope: 'openid profile account:read account:write' };
    const tokens = await tokensFor(schools.browser('sam'), ticked, asked);
    expect(tokens['scope']).toBe('openid profile account:read');
  });

  test('do not include the identity scopes, which have no checkbox and are granted as requested', async () => {
    schools = await startSchools();
    const sam = schools.browser('sam');
    const { html } = await sam.follow(request());
    expect(checkboxes(html)).toEqual({ 'account:write': true, 'account:read': true });
    expect((await tokensFor(sam, []))['scope']).toBe('openid profile email');
    const other = schools.browser('sam');
    expect((await tokensFor(other, ['email'], { scope: 'openid account:read', prompt: 'consent' }))['scope']).toBe(
      'openid',
    );
  });

  test('must not be empty: the page is shown again with an error', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const page = await browser.follow(request({ scope: 'account:read', nonce: undefined }));
    const again = await allow(browser, page, []);
    expect(again.response.status).toBe(400);
    expect(readPage(again.html).getByRole('alert').text).toMatch(/^Tick at least one permission/);
    // As it was posted: not every box ticked again.
    expect(checkboxes(page.html)).toEqual({ 'account:read': true });
    expect(checkboxes(again.html)).toEqual({ 'account:read': false });
    expect((await allow(browser, again, ['account:read'])).url.searchParams.has('code')).toBe(true);
  });

  test('are all requested ones when the form has no checkboxes', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const { url } = await browser.decide(await browser.follow(request()), 'allow');
    expect(url.searchParams.has('code')).toBe(true);
  });
});

describe('a button that the page does not have', () => {
  test.each([
    ['decision', 'ask'],
    ['decision', 'approve'],
    ['decision', 'select'],
    ['select', 'find'],
    ['select', 'next.class'],
    ['select', 'allow'],
  ])('decides nothing: %s=%s', async (name, value) => {
    schools = await startSchools();
    const sam = schools.browser('sam');
    const page = await sam.follow(request());
    const body = new URLSearchParams({ csrf: csrfOf(page.html), choice: 'shown', [name]: value });
    const answer = await sam.follow(page.url, { method: 'POST', body });
    expect([answer.response.status, answer.html.includes('This page has expired')]).toEqual([400, true]);
    expect((await allow(sam, page, ['account:read'])).url.searchParams.has('code')).toBe(true);
  });
});

describe('the buttons above many permissions', () => {
  const many = 'courses:read courses:write students:read students:write orders:read events:read events:write';
  const chat = { id: 'chat', redirectUri: 'https://chat.example/callback', scope: many };
  const start = async (): Promise<Stop & { readonly browser: Browser }> => {
    const client = {
      clientId: 'chat',
      clientName: 'Chat',
      audience: 'operator',
      redirectUris: [chat.redirectUri],
    } as const;
    schools = await startSchools({ campus: { clients: [{ ...client, scopes: many.split(' ') }] } });
    const browser = schools.browser('olivia');
    return { browser, ...(await browser.follow(authorizeUrl(schools.harbour, chat, pkce(), { nonce: undefined }))) };
  };
  const select = async (page: Stop & { readonly browser: Browser }, value: string): Promise<Stop> => {
    const body = new URLSearchParams([...readPage(page.html).fields, ['select', value]]);
    return page.browser.follow(page.url, { method: 'POST', body });
  };

  test.each([
    ['all', true],
    ['none', false],
  ])('%s ticks those, and decides nothing', async (value, isTicked) => {
    const page = await start();
    const again = await select(page, value);
    expect(again.response.status).toBe(200);
    expect(checkboxes(again.html)).toEqual(Object.fromEntries(many.split(' ').map((name) => [name, isTicked])));
    expect(again.html).toContain('Ticks changed. Nothing is connected yet.');
    const site = harbourSite(schools.harbour);
    expect((await schools.campus.connections.list(site, 'olivia')).total).toBe(0);
    const allowed = await allow(page.browser, again, ['courses:read']);
    expect(allowed.url.searchParams.has('code')).toBe(true);
  });

  test('are refused with another value, and from another page', async () => {
    const page = await start();
    expect((await select(page, 'everything')).response.status).toBe(400);
    const forged = new URLSearchParams({ csrf: 'forged', select: 'all' });
    expect((await page.browser.follow(page.url, { method: 'POST', body: forged })).html).toContain('expired');
  });
});

describe('an app that nobody has verified', () => {
  const loopback = 'http://127.0.0.1:5000/callback';
  const web = 'https://acme.example/callback';
  const register = async (client_name: string): Promise<string> => {
    const body = JSON.stringify({ client_name, redirect_uris: ['http://127.0.0.1/callback'] });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
    return String(Object(await response.json())['client_id']);
  };
  const asked = 'openid courses:read courses:write';
  const vendor = {
    clientId: 'acme',
    clientName: 'Acme',
    names: ['Acme'],
    redirectUris: ['http://127.0.0.1/callback', web],
    app: { id: 'acme', name: 'Acme' },
  };

  test.each([
    ['a loopback client', 'Anything', loopback, false],
    ['one that has the name of a known app', 'Claude Code', loopback, false],
    ['a vendor whose row names its app, on this computer', 'Acme', loopback, false],
    ['not that at an address of its own', 'Acme', web, true],
  ])('has nothing ticked that changes data: %s', async (_what, name, redirectUri, isTicked) => {
    schools = await startSchools({ campus: { registration: [vendorPlatforms([vendor]), loopbackClients()] } });
    const client = { id: await register(name), redirectUri, scope: asked };
    const { html } = await schools.browser('olivia').follow(authorizeUrl(schools.harbour, client, pkce()));
    expect(checkboxes(html)).toEqual({ 'courses:write': isTicked, 'courses:read': true });
    expect(html.includes('Changes start unticked')).toBe(!isTicked);
  });

  test('that asks for everything has nothing ticked that changes data until “Tick all” is pressed, which decides nothing', async () => {
    schools = await startSchools({ campus: { registration: [loopbackClients()] } });
    const everything = standardScopes.all.filter((name) => standardScopes.mayHave('operator', name));
    const client = { id: await register('Anything'), redirectUri: loopback, scope: everything.join(' ') };
    const browser = schools.browser('olivia');
    const page = await browser.follow(authorizeUrl(schools.harbour, client, pkce()));
    const ticks = ({ html }: Stop): [boolean, boolean][] =>
      readPage(html)
        .getAllByRole('checkbox')
        .map((box) => [box.attribute('class') === 'writes', box.checked]);
    expect(ticks(page).length).toBeGreaterThan(25);
    expect(ticks(page).filter(([writes, checked]) => writes === checked)).toEqual([]);
    const button = readPage(page.html).getByRole('button', { name: 'Tick all' });
    const body = new URLSearchParams([...readPage(page.html).fields, ['select', button.value]]);
    const again = await browser.follow(page.url, { method: 'POST', body });
    expect(ticks(again).filter(([, checked]) => !checked)).toEqual([]);
    readPage(again.html).getByRole('status', { text: 'Ticks changed. Nothing is connected yet.' });
    expect((await schools.campus.connections.list(harbourSite(schools.harbour), 'olivia')).total).toBe(0);
  });

  test('says nothing of what is not ticked where all was allowed before', async () => {
    schools = await startSchools();
    const sam = schools.browser('sam');
    await connect(sam, schools.harbour, memberApp);
    const { html } = await sam.follow(authorizeUrl(schools.harbour, memberApp, pkce()));
    expect(checkboxes(html)).toEqual({ 'account:write': true, 'account:read': true });
    expect(html).not.toContain('Changes start unticked');
  });

  test.each([
    ['the platform’s own, which any app on this computer can claim to be', 'member-app', false],
    ['the platform’s own on a server', 'web-member-app', true],
  ])('follows the line of trust: %s', async (_what, id, isTicked) => {
    schools = await startSchools();
    const redirectUri = id === webMemberApp.id ? webMemberApp.redirectUri : loopback;
    const { html } = await schools
      .browser('sam')
      .follow(authorizeUrl(schools.harbour, { id, redirectUri, scope }, pkce()));
    expect(checkboxes(html)).toEqual({ 'account:write': isTicked, 'account:read': true });
    expect(html.includes('Any app on this computer can call itself')).toBe(!isTicked);
  });
});

describe('the first button', () => {
  const texts = async (asked: string): Promise<string[]> => {
    schools = await startSchools();
    const { html } = await schools
      .browser('sam')
      .follow(authorizeUrl(schools.harbour, { ...memberApp, scope: asked }, pkce()));
    const button = /<button class="primary".*?<\/button>/.exec(html)?.[0] ?? '';
    return [...button.matchAll(/<span class="[\w-]+">([^<]+)/g)].map(([, text = '']) => text);
  };

  test.each([
    [
      'something that is viewed',
      'openid account:read account:write',
      ['Connect, view only', 'Connect, sees only who you are', 'Connect'],
    ],
    ['changes alone', 'openid account:write', ['Connect, sees only who you are', 'Connect']],
    ['changes alone, without who they are', 'account:write', ['Connect']],
  ])('offers “view only” where something is viewed: %s', async (_what, asked, expected) => {
    expect(await texts(asked)).toEqual(expected);
  });
});

describe('a repeated consent', () => {
  const mail = 'openid profile email';

  test('is about what is new, which is marked; a first consent marks nothing', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const first = await browser.follow(request());
    expect(earlierOn(first.html)).toEqual([{}, {}]);
    readPage(first.html).getByRole('heading', { name: 'What can it change?' });
    await tokensFor(browser, ['account:read'], { scope: `${mail} account:read` });
    const { html } = await browser.follow(request());
    readPage(html).getByText('It asks for more than before.');
    expect(earlierOn(html)).toEqual([{ 'account:write': 'new' }, { 'account:read': true }]);
    expect(readPage(html).getByRole('button', { name: 'Connect' }).value).toBe('allow');
    expect((await tokensFor(browser, ['account:read', 'account:write']))['scope']).toBe(scope);
    const { html: again } = await browser.follow(request({ prompt: 'consent' }));
    expect(earlierOn(again)).toEqual([{}, {}]);
  });

  test.each([
    ['at consent', ['account:read']],
    ['in the connected apps', ['account:read', 'account:write']],
  ])('leaves unticked what was refused %s, and says so', async (_where, ticked) => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    await tokensFor(browser, ticked);
    const site = harbourSite(schools.harbour);
    const [connection] = await schools.campus.connections.list(site, 'sam');
    if (ticked.length > 1)
      await schools.campus.connections.narrow(site, 'sam', connection?.id ?? '', ['account:write']);
    // Asking for something else in between forgets nothing.
    await tokensFor(browser, ['account:read'], { scope: `${mail} account:read`, prompt: 'consent' });
    const { html } = await browser.follow(request({ prompt: 'consent' }));
    expect(checkboxes(html)).toEqual({ 'account:write': false, 'account:read': true });
    expect(marksOn(html)).toEqual({ 'account:write': 'you left this out before' });
  });

  test('does not call refused what a policy of the school took away', async () => {
    let narrows = true;
    const policy: AccessPolicy = ({ scopes }) =>
      narrows ? { scopes: scopes.filter((each) => each !== 'account:write') } : undefined;
    schools = await startSchools({ campus: { access: [policy] } });
    const browser = schools.browser('sam');
    await tokensFor(browser, ['account:read']);
    const silent = await browser.follow(request());
    expect(silent.url.searchParams.has('code')).toBe(true);
    narrows = false;
    const { html } = await browser.follow(request());
    expect(checkboxes(html)).toEqual({ 'account:write': true, 'account:read': true });
    expect(html).not.toContain('you left this out before');
  });

  test('can add scopes that were unticked, and take others away', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    await tokensFor(browser, ['account:read']);
    const again = await tokensFor(browser, ['account:write'], { prompt: 'consent' });
    expect(again['scope']).toBe('openid profile email account:write');
  });

  test('is skipped for a confidential client, which gets the same scopes', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    await tokensFor(browser, ['account:read']);
    const pair = pkce();
    const { url } = await browser.follow(request({}, pair));
    const code = url.searchParams.get('code') ?? '';
    const { body } = await exchange({ origin: schools.harbour, client: webMemberApp, code, verifier: pair.verifier });
    expect(body['scope']).toBe('openid profile email account:read');
  });
});

describe('the signed-in person on the consent page', () => {
  test('“Not you?” leads to a fresh sign-in, and restarts the request for the person who signs in', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const { html } = await browser.follow(request());
    const signIn = new URL(readPage(html).getByRole('link', { name: /^Not you\?/ }).href);
    expect([signIn.pathname, signIn.searchParams.get('reauthenticate')]).toEqual(['/sign-in', 'true']);
    browser.platformCookie('person', 'olivia');
    const back = await browser.follow(signIn.searchParams.get('return_to') ?? '');
    expect(back.html).toContain('Olivia Owner');
    expect(back.html).not.toContain('Sam Student');
  });

  test('grants nothing if another person signed in before the form was submitted', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const page = await browser.follow(request());
    browser.platformCookie('person', 'olivia');
    const stop = await allow(browser, page, ['profile']);
    expect(stop.response.status).toBe(403);
    expect(stop.html).toContain('signed in as someone else');
    expect(readPage(stop.html).text).toContain('You are signed in as Olivia Owner');
    expect(readPage(stop.html).getByRole('link', { name: 'Sign in as Sam Student' }).href).toContain('/sign-in');
  });

  test('can complete two interactions in two tabs independently', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const [first, second] = [await browser.follow(request()), await browser.follow(request({ state: 'two' }))];
    expect((await allow(browser, first, [])).url.searchParams.get('state')).toBe('the-state');
    expect((await allow(browser, second, [])).url.searchParams.get('state')).toBe('two');
    const back = await browser.follow(first.url);
    expect([back.response.status, back.html.includes(' is connected.')]).toEqual([200, true]);
  });
});

describe('page language', () => {
  test('follows ui_locales on the consent page', async () => {
    schools = await startSchools();
    const { html } = await schools.browser('sam').follow(request({ ui_locales: 'fr zh-TW en' }));
    const page = readPage(html);
    expect([page.attribute('lang'), page.attribute('dir')]).toEqual(['zh-Hant', 'ltr']);
    expect(html).toContain('要將');
  });

  test('is what the person chose at the foot of a page, before what the application asks for', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const asked = { ui_locales: 'zh-TW' };
    const address = (language: string): URL => request({ ...asked, client_id: 'nobody', language });
    for (const unknown of ['de', 'x"<script>', 'constructor']) {
      const { response } = await browser.follow(address(unknown));
      expect([response.headers.get('content-language'), response.headers.getSetCookie()]).toEqual(['zh-Hant', []]);
    }
    expect((await browser.follow(address('en'))).response.headers.get('content-language')).toBe('en');
    const page = readPage((await browser.follow(request(asked))).html);
    expect([page.attribute('lang'), page.attribute('dir')]).toEqual(['en', 'ltr']);
  });

  test.each<[string, Record<string, string>, string, string]>([
    ['ui_locales of the request', { ui_locales: 'fr en' }, 'zh-TW', 'en'],
    ['Accept-Language', {}, 'de, zh-HK;q=0.8, en;q=0.5', 'zh-Hant'],
    ['Accept-Language, when ui_locales is not available', { ui_locales: 'fr' }, 'en-GB', 'en'],
    ['the site’s language, when neither is available', { ui_locales: 'x"<script>' }, 'de', 'zh-Hant'],
  ])('comes from %s', async (_name, changes, accept, language) => {
    schools = await startSchools({
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) => {
          const site = await platform.findSite(origin);
          return site && { ...site, language: 'zh-Hant' };
        },
      }),
    });
    const url = request({ client_id: 'nobody', ...changes });
    const response = await fetch(url, { headers: { accept: 'text/html', 'accept-language': accept } });
    expect(response.headers.get('content-language')).toBe(language);
    expect(readPage(await response.text()).attribute('lang')).toBe(language);
  });
});
