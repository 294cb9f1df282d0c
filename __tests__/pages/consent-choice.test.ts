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

/** Answers the page as a browser does: with the boxes that are ticked. */
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

describe('what is ticked', () => {
  test('is what is granted, and the token answer says so; a refresh gives no more', async () => {
    schools = await startSchools();
    const tokens = await tokensFor(schools.browser('sam'), ['profile', 'account:read']);
    expect(tokens['scope']).toBe('openid profile account:read');
    expect((await userinfo(schools.harbour, tokens['access_token'])).body).not.toHaveProperty('email');
    const refreshed = await refresh(schools.harbour, webMemberApp, tokens['refresh_token']);
    expect(refreshed.body['scope']).toBe('openid profile account:read');
  });

  test('does not hide what the Member API shows of everybody, and the page says so', async () => {
    schools = await startSchools();
    const sam = schools.browser('sam');
    const { html } = await sam.follow(request());
    expect(html).toContain('Whatever you untick, it can see your name and e-mail address');
    const token = (await tokensFor(sam, ['account:read']))['access_token'];
    const answer = await fetch(`${schools.harbour}/member/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { name email } }' }),
    });
    expect(await answer.json()).toEqual({ data: { viewer: { name: 'Sam Student', email: 'sam@example.com' } } });
  });

  test('cannot be more than was asked for, nor more than a policy lets through', async () => {
    const policy: ConsentPolicy = ({ scopes }) => ({
      decision: 'narrow',
      scopes: scopes.filter((each) => each !== 'account:write'),
    });
    schools = await startSchools({ campus: { consent: [policy] } });
    const ticked = ['profile', 'email', 'account:write', 'courses:write', 'nonsense'];
    const tokens = await tokensFor(schools.browser('sam'), ticked, { scope: 'openid profile account:write' });
    expect(tokens['scope']).toBe('openid profile');
  });

  test('openid goes with it, since without it nothing is connected', async () => {
    schools = await startSchools();
    expect((await tokensFor(schools.browser('sam'), []))['scope']).toBe('openid');
  });

  test('nothing at all is asked again, and says why', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const page = await browser.follow(request({ scope: 'account:read', nonce: undefined }));
    const again = await allow(browser, page, []);
    expect(again.response.status).toBe(400);
    expect(again.html).toContain('role="alert"');
    expect(again.html).toContain('Nothing is ticked.');
    expect((await allow(browser, again, ['account:read'])).url.searchParams.has('code')).toBe(true);
  });

  test('a form that shows no choice grants what was asked for', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const { url } = await browser.decide(await browser.follow(request()), 'allow');
    expect(url.searchParams.has('code')).toBe(true);
  });
});

describe('the next time', () => {
  test('what was allowed before is marked; what was unticked is not, and can be ticked', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    await tokensFor(browser, ['profile']);
    const { html } = await browser.follow(request({ prompt: 'consent' }));
    const marked = [...html.matchAll(/value="([\w:]+)" checked><span>[^<]*<span class="badge good">/g)];
    expect(marked.map(([, name]) => name)).toEqual(['profile']);
    expect((await tokensFor(browser, ['email'], { prompt: 'consent' }))['scope']).toBe('openid email');
  });

  test('a confidential client gets the same, unasked', async () => {
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

describe('the person', () => {
  test('“not you?” asks for a new sign-in, and begins the request anew for whoever comes back', async () => {
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

  test('who has changed between page and answer grants nothing', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const page = await browser.follow(request());
    browser.platformCookie('person', 'olivia');
    const answer = await allow(browser, page, ['profile']);
    expect(answer.response.status).toBe(403);
    expect(answer.html).toContain('signed in as someone else');
  });

  test('has two tabs: each is answered by itself', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const [first, second] = [await browser.follow(request()), await browser.follow(request({ state: 'two' }))];
    expect((await allow(browser, first, [])).url.searchParams.get('state')).toBe('the-state');
    expect((await allow(browser, second, [])).url.searchParams.get('state')).toBe('two');
    const back = await browser.follow(first.url);
    expect([back.response.status, back.html.includes('already been answered')]).toEqual([400, true]);
  });
});

describe('the language', () => {
  test('of the consent page is what the application asks for', async () => {
    schools = await startSchools();
    const { html } = await schools.browser('sam').follow(request({ ui_locales: 'fr zh-TW en' }));
    expect(html).toContain('<html lang="zh-Hant" dir="ltr">');
    expect(html).toContain('要允許');
  });

  test.each<[string, Record<string, string>, string, string]>([
    ['the application’s wish', { ui_locales: 'fr en' }, 'zh-TW', 'en'],
    ['the browser’s', {}, 'de, zh-HK;q=0.8, en;q=0.5', 'zh-Hant'],
    ['the browser’s, where the application’s is not there', { ui_locales: 'fr' }, 'en-GB', 'en'],
    ['the site’s, where none is there', { ui_locales: 'x"<script>' }, 'de', 'zh-Hant'],
  ])('is %s', async (_name, changes, accept, language) => {
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
