import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  authorize,
  authorizeUrl,
  type Changes,
  exchange,
  getCode,
  memberApp,
  pkce,
  reports,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeEach(async () => {
  schools = await startSchools();
});
afterEach(() => schools.close());

const now = (): number => Math.floor(Date.now() / 1000);
const request = (changes: Changes = {}, client = webMemberApp): URL =>
  authorizeUrl(schools.harbour, client, pkce(), changes);

describe('signing in', () => {
  test('a signed-out browser is redirected to the platform’s sign-in page and continues after it', async () => {
    const browser = schools.browser();
    const { url } = await browser.follow(request({ login_hint: 'sam@example.com' }));
    expect(url.pathname).toBe('/sign-in');
    expect(url.searchParams.get('fresh')).toBe('false');
    expect(url.searchParams.get('hint')).toBe('sam@example.com');
    const returnTo = url.searchParams.get('return_to') ?? '';
    expect(new URL(returnTo).origin).toBe(schools.harbour);
    browser.platformCookie('person', 'sam');
    expect((await authorize(browser, new URL(returnTo))).url.searchParams.has('code')).toBe(true);
  });

  test('the return address redirects to sign-in again while the browser is signed out', async () => {
    const browser = schools.browser();
    const { url } = await browser.follow(request());
    const again = await browser.follow(url.searchParams.get('return_to') ?? '');
    expect(again.url.pathname).toBe('/sign-in');
  });

  test('a person without a role gets access_denied', async () => {
    for (const person of ['nora', 'tess', 'unheard-of']) {
      const { url } = await schools.browser(person).follow(request());
      expect(url.searchParams.get('error')).toBe('access_denied');
      expect(url.searchParams.get('iss')).toBe(schools.harbour);
    }
  });

  test('an operator client gets access_denied for a student, and a code for the owner', async () => {
    const student = await schools.browser('sam').follow(request({}, reports));
    expect(student.url.searchParams.get('error')).toBe('access_denied');
    const owner = await authorize(schools.browser('olivia'), request({}, reports));
    expect(owner.url.searchParams.has('code')).toBe(true);
  });
});

describe('prompt and max_age', () => {
  test('prompt=login needs sign-in even when signed in, and gives a code after a fresh one', async () => {
    const browser = schools.browser('sam', now() - 100);
    const { url } = await browser.follow(request({ prompt: 'login' }));
    expect([url.pathname, url.searchParams.get('fresh')]).toEqual(['/sign-in', 'true']);
    browser.platformCookie('auth_time', String(now()));
    const end = await authorize(browser, new URL(url.searchParams.get('return_to') ?? ''));
    expect(end.url.searchParams.has('code')).toBe(true);
  });

  test('prompt=login is not satisfied by a return without a fresh sign-in', async () => {
    const browser = schools.browser('sam', now() - 100);
    const { url } = await browser.follow(request({ prompt: 'login' }));
    const back = await browser.follow(url.searchParams.get('return_to') ?? '');
    expect(back.response.status).toBe(403);
    expect(back.html).toContain('Sign in again');
  });

  test('prompt=login trusts a platform that reports no authTime', async () => {
    const browser = schools.browser('sam');
    const { url } = await browser.follow(request({ prompt: 'login' }));
    expect(url.pathname).toBe('/sign-in');
    const end = await authorize(browser, new URL(url.searchParams.get('return_to') ?? ''));
    expect(end.url.searchParams.has('code')).toBe(true);
  });

  test.each([
    ['older than max_age: sign-in', 100, 50, '/sign-in'],
    ['younger than max_age: continues', 100, 500, '/callback'],
  ])('a session %s', async (_name, age, maxAge, pathname) => {
    const browser = schools.browser('sam', now() - age);
    const { url } = await authorize(browser, request({ max_age: String(maxAge) }));
    expect(url.pathname).toBe(pathname);
  });

  test('max_age and a sign-in at the platform put auth_time into the ID token', async () => {
    const authTime = now() - 30;
    const code = await getCode(schools.browser('sam', authTime), schools.harbour, webMemberApp, { max_age: '100' });
    const { body } = await exchange(code);
    const claims = JSON.parse(Buffer.from(String(body['id_token']).split('.')[1] ?? '', 'base64url').toString());
    expect(claims.auth_time).toBe(authTime);
  });

  test('prompt=consent shows the consent page even after an earlier consent', async () => {
    const browser = schools.browser('sam');
    await authorize(browser, request());
    const silent = await browser.follow(request());
    expect(silent.url.searchParams.has('code')).toBe(true);
    expect((await browser.follow(request({ prompt: 'consent' }))).html).toContain('value="allow"');
  });

  test('a public client needs consent at each authorization request', async () => {
    const browser = schools.browser('sam');
    await authorize(browser, request({}, memberApp));
    expect((await browser.follow(request({}, memberApp))).html).toContain('value="allow"');
  });

  test('prompt=login consent ends after one sign-in and one consent', async () => {
    const browser = schools.browser('sam', now() - 100);
    const { url } = await browser.follow(request({ prompt: 'login consent' }));
    browser.platformCookie('auth_time', String(now()));
    const end = await authorize(browser, new URL(url.searchParams.get('return_to') ?? ''));
    expect(end.url.searchParams.has('code')).toBe(true);
  });
});

describe('another person', () => {
  test('who signs in gets a code of their own, never one of the person signed in before', async () => {
    const browser = schools.browser('olivia');
    await authorize(browser, request());
    browser.platformCookie('person', 'sam');
    const code = await getCode(browser, schools.harbour, webMemberApp);
    const { body } = await exchange(code);
    const claims = JSON.parse(Buffer.from(String(body['id_token']).split('.')[1] ?? '', 'base64url').toString());
    expect(claims.sub).toBe('sam');
  });

  test('prompt=none after a sign-out at the platform is login_required despite the engine’s session cookie', async () => {
    const browser = schools.browser('sam');
    await authorize(browser, request());
    expect((await browser.follow(request({ prompt: 'none' }))).url.searchParams.has('code')).toBe(true);
    browser.platformCookie('person', undefined);
    expect((await browser.follow(request({ prompt: 'none' }))).url.searchParams.get('error')).toBe('login_required');
  });

  test('between the consent page and its form: a page that explains it, with a button to continue', async () => {
    const browser = schools.browser('olivia');
    const page = await browser.follow(request());
    browser.platformCookie('person', 'sam');
    const submitted = await browser.decide(page, 'allow');
    expect(submitted.response.status).toBe(403);
    expect(submitted.html).toContain('signed in as someone else');
    const href = /class="button" href="([^"]+)"/.exec(submitted.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await authorize(browser, new URL(href))).url.searchParams.has('code')).toBe(true);
  });

  test('during prompt=login: the person who comes back gets the code', async () => {
    const browser = schools.browser('olivia', now() - 100);
    await authorize(browser, request());
    const { url } = await browser.follow(request({ prompt: 'login' }));
    browser.platformCookie('person', 'sam');
    browser.platformCookie('auth_time', String(now()));
    const end = await authorize(browser, new URL(url.searchParams.get('return_to') ?? ''));
    expect(end.url.searchParams.has('code')).toBe(true);
  });

  test('a student who is asked to sign in again for an operator client may come back as the owner', async () => {
    const browser = schools.browser('sam', now() - 100);
    const { url } = await browser.follow(request({ prompt: 'login' }, reports));
    expect(url.pathname).toBe('/sign-in');
    browser.platformCookie('person', 'olivia');
    browser.platformCookie('auth_time', String(now()));
    const end = await authorize(browser, new URL(url.searchParams.get('return_to') ?? ''));
    expect(end.url.searchParams.has('code')).toBe(true);
  });
});
