import { afterEach, describe, expect, test } from '@jest/globals';
import type { ConsentPolicy } from '../../lib/index.ts';
import { csrfOf, type Browser, type Stop } from '../helpers/browser.ts';
import { authorizeUrl, exchange, pkce, refresh, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

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
  const boxes = html.matchAll(/<input type="checkbox" name="scope" value="([^"]+)"( checked)?>/g);
  return Object.fromEntries([...boxes].map(([, name = '', ticked]) => [name, ticked !== undefined]));
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
    const policy: ConsentPolicy = ({ scopes }) => ({
      decision: 'narrow',
      scopes: scopes.filter((each) => each !== 'account:write'),
    });
    schools = await startSchools({ campus: { consent: [policy] } });
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
    expect(again.html).toContain('role="alert"');
    expect(again.html).toContain('Nothing is ticked.');
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

describe('a repeated consent', () => {
  test('marks the scopes that are new, not those that were allowed before; a first consent marks none', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const marked = (html: string): (string | undefined)[] =>
      [...html.matchAll(/value="([\w:]+)" checked><span>[^<]*<span class="badge new">/g)].map(([, name]) => name);
    expect(marked((await browser.follow(request())).html)).toEqual([]);
    await tokensFor(browser, ['account:read']);
    expect(marked((await browser.follow(request({ prompt: 'consent' }))).html)).toEqual(['account:write']);
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
    const href = /<a href="([^"]+)">Not you\?/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const signIn = new URL(href);
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
    expect(stop.html).toContain('continue as <bdi>Olivia Owner</bdi> (<bdi>olivia@example.com</bdi>)');
  });

  test('can complete two interactions in two tabs independently', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const [first, second] = [await browser.follow(request()), await browser.follow(request({ state: 'two' }))];
    expect((await allow(browser, first, [])).url.searchParams.get('state')).toBe('the-state');
    expect((await allow(browser, second, [])).url.searchParams.get('state')).toBe('two');
    const back = await browser.follow(first.url);
    expect([back.response.status, back.html.includes('already been answered')]).toEqual([400, true]);
  });
});

describe('page language', () => {
  test('follows ui_locales on the consent page', async () => {
    schools = await startSchools();
    const { html } = await schools.browser('sam').follow(request({ ui_locales: 'fr zh-TW en' }));
    expect(html).toContain('<html lang="zh-Hant" dir="ltr">');
    expect(html).toContain('要允許');
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
    expect((await browser.follow(request(asked))).html).toContain('<html lang="en" dir="ltr">');
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
    expect(await response.text()).toContain(`<html lang="${language}"`);
  });
});
