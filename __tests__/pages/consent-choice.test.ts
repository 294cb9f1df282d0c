import { afterEach, describe, expect, test } from '@jest/globals';
import type { ConsentPolicy } from '../../lib/index.ts';
import { csrfOf, type Browser, type Stop } from '../helpers/browser.ts';
import { authorizeUrl, exchange, pkce, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
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
    const tokens = await tokensFor(schools.browser('sam'), ['profile', 'account:read']);
    expect(tokens['scope']).toBe('openid profile account:read');
    expect((await userinfo(schools.harbour, tokens['access_token'])).body).not.toHaveProperty('email');
    const refreshed = await refresh(schools.harbour, webMemberApp, tokens['refresh_token']);
    expect(refreshed.body['scope']).toBe('openid profile account:read');
  });

  test('do not limit the profile that the Member API always returns, and the page says so', async () => {
    schools = await startSchools();
    const sam = schools.browser('sam');
    const { html } = await sam.follow(request());
    expect(html).toContain('Whatever you untick, it can see your name and e-mail address');
    const token = (await tokensFor(sam, ['account:read']))['access_token'];
    const response = await fetch(`${schools.harbour}/member/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { name email } }' }),
    });
    expect(await response.json()).toEqual({ data: { viewer: { name: 'Sam Student', email: 'sam@example.com' } } });
  });

  test('cannot exceed the requested scopes, nor those that a consent policy permits', async () => {
    const policy: ConsentPolicy = ({ scopes }) => ({
      decision: 'narrow',
      scopes: scopes.filter((each) => each !== 'account:write'),
    });
    schools = await startSchools({ campus: { consent: [policy] } });
    const ticked = ['profile', 'email', 'account:write', 'courses:write', 'nonsense'];
    const tokens = await tokensFor(schools.browser('sam'), ticked, { scope: 'openid profile account:write' });
    expect(tokens['scope']).toBe('openid profile');
  });

  test('always include openid', async () => {
    schools = await startSchools();
    expect((await tokensFor(schools.browser('sam'), []))['scope']).toBe('openid');
  });

  test('must not be empty: the page is shown again with an error', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const page = await browser.follow(request({ scope: 'account:read', nonce: undefined }));
    const again = await allow(browser, page, []);
    expect(again.response.status).toBe(400);
    expect(again.html).toContain('role="alert"');
    expect(again.html).toContain('Nothing is ticked.');
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
  test('marks previously allowed scopes, and can add scopes that were unticked', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    await tokensFor(browser, ['profile']);
    const { html } = await browser.follow(request({ prompt: 'consent' }));
    const marked = [...html.matchAll(/value="([\w:]+)" checked><span>[^<]*<span class="badge good">/g)];
    expect(marked.map(([, name]) => name)).toEqual(['profile']);
    expect((await tokensFor(browser, ['email'], { prompt: 'consent' }))['scope']).toBe('openid email');
  });

  test('is skipped for a confidential client, which gets the same scopes', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    await tokensFor(browser, ['profile']);
    const pair = pkce();
    const { url } = await browser.follow(request({}, pair));
    const code = url.searchParams.get('code') ?? '';
    const { body } = await exchange({ origin: schools.harbour, client: webMemberApp, code, verifier: pair.verifier });
    expect(body['scope']).toBe('openid profile');
  });
});

describe('the signed-in person on the consent page', () => {
  test('“Not you?” leads to a fresh sign-in, and restarts the request for the person who signs in', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const { html } = await browser.follow(request());
    const href = /<a href="([^"]+)">Not you\?/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const signIn = new URL(href);
    expect([signIn.pathname, signIn.searchParams.get('fresh')]).toEqual(['/sign-in', 'true']);
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
