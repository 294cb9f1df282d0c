import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Stop } from '../helpers/browser.ts';
import { decisionsOn } from '../helpers/browser.ts';
import {
  authorize,
  authorizeUrl,
  type Changes,
  exchange,
  getCode,
  type JsonResponse,
  memberApp,
  pkce,
  reports,
  webMemberApp,
} from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { redirectQuery } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeEach(async () => {
  schools = await startSchools();
});
afterEach(() => schools.close());

const now = (): number => Math.floor(Date.now() / 1000);
const pair = pkce();
const request = (changes: Changes = {}, client = webMemberApp): URL =>
  authorizeUrl(schools.harbour, client, pair, changes);

function claimsOf(tokens: JsonResponse): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(String(tokens.body['id_token']).split('.')[1] ?? '', 'base64url').toString());
}

/** The member for whom a client gets tokens where a flow has ended. */
async function subject({ url }: Stop, client = webMemberApp): Promise<unknown> {
  const code = url.searchParams.get('code');
  if (code === null) throw new Error(`no code at ${url.href}`);
  return claimsOf(await exchange({ origin: schools.harbour, client, code, verifier: pair.verifier }))['sub'];
}

describe('signing in', () => {
  test('a signed-out browser is sent to the platform’s sign-in page and gets a code after it', async () => {
    const browser = schools.browser();
    const { url } = await browser.follow(request({ login_hint: 'sam@example.com' }));
    expect(url.pathname).toBe('/sign-in');
    expect(url.searchParams.get('reauthenticate')).toBe('false');
    expect(url.searchParams.get('hint')).toBe('sam@example.com');
    const returnTo = url.searchParams.get('return_to') ?? '';
    expect(new URL(returnTo).origin).toBe(schools.harbour);
    browser.platformCookie('person', 'sam');
    expect(await subject(await authorize(browser, new URL(returnTo)))).toBe('sam');
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

  test.each([
    ['signed in', 'sam'],
    ['who signs in for the request', undefined],
  ])(
    'a student at an operator client, %s, reads who is signed in, and can sign in as someone else',
    async (_how, person) => {
      const browser = schools.browser(person);
      let stop = await browser.follow(request({ ui_locales: 'en' }, reports));
      if (person === undefined) {
        browser.platformCookie('person', 'sam');
        stop = await browser.follow(stop.url.searchParams.get('return_to') ?? '');
      }
      const { html, response, url: back } = stop;
      expect([response.status, response.headers.get('location')]).toEqual([403, null]);
      expect(readPage(html).text).toContain('It is for staff of Harbour School.');
      readPage(html).getByText(/^Signed in as Sam Student/);
      expect(back.href.split('?', 1)[0]).toBe(reports.redirectUri);
      expect(back.searchParams.get('state')).toBe('the-state');
      const signIn = new URL(
        readPage(html)
          .getByRole('main')
          .getByRole('link', { name: /^Sign in/ }).href,
      );
      expect(signIn.searchParams.get('reauthenticate')).toBe('true');
      browser.platformCookie('person', 'olivia');
      const again = await browser.follow(signIn.searchParams.get('return_to') ?? '');
      expect(again.html).toContain('Olivia Owner');
      expect(decisionsOn(again.html)).toContain('allow');
    },
  );

  test('an app that reads no pages gets the redirect', async () => {
    const headers = { accept: 'application/json' };
    const response = await schools.browser('sam').fetch(request({}, reports), { headers });
    expect(redirectQuery(response, reports.redirectUri)).toMatchObject({ error: 'access_denied', state: 'the-state' });
  });

  test('an operator client gets access_denied for a student, and a code for the owner', async () => {
    const student = await schools.browser('sam').follow(request({}, reports));
    expect(student.url.searchParams.get('error')).toBe('access_denied');
    const owner = await authorize(schools.browser('olivia'), request({}, reports));
    expect(await subject(owner, reports)).toBe('olivia');
  });
});

describe('prompt and max_age', () => {
  test('prompt=login asks a signed-in person to sign in again, and gives a code after a fresh sign-in', async () => {
    const browser = schools.browser('sam', now() - 100);
    const { url } = await browser.follow(request({ prompt: 'login' }));
    expect([url.pathname, url.searchParams.get('reauthenticate')]).toEqual(['/sign-in', 'true']);
    browser.platformCookie('auth_time', String(now()));
    const end = await authorize(browser, new URL(url.searchParams.get('return_to') ?? ''));
    expect(await subject(end)).toBe('sam');
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
    expect(await subject(end)).toBe('sam');
  });

  test.each([
    ['older than max_age: sign-in', 100, 50, '/sign-in'],
    ['younger than max_age: continues', 100, 500, '/callback'],
  ])('a session %s', async (_name, age, maxAge, pathname) => {
    const browser = schools.browser('sam', now() - age);
    const end = await authorize(browser, request({ max_age: String(maxAge) }));
    expect(end.url.pathname).toBe(pathname);
    if (pathname === '/callback') expect(await subject(end)).toBe('sam');
  });

  test('max_age and a sign-in at the platform put auth_time into the ID token', async () => {
    const authTime = now() - 30;
    const code = await getCode(schools.browser('sam', authTime), schools.harbour, webMemberApp, { max_age: '100' });
    expect(claimsOf(await exchange(code))['auth_time']).toBe(authTime);
  });

  test('prompt=consent shows the consent page to a person who has consented before', async () => {
    const browser = schools.browser('sam');
    await authorize(browser, request());
    const silent = await browser.follow(request());
    expect(await subject(silent)).toBe('sam');
    expect(decisionsOn((await browser.follow(request({ prompt: 'consent' }))).html)).toContain('allow');
  });

  test('a public client gets a consent page each time', async () => {
    const browser = schools.browser('sam');
    await authorize(browser, request({}, memberApp));
    expect(decisionsOn((await browser.follow(request({}, memberApp))).html)).toContain('allow');
  });

  test('prompt=login consent ends after one sign-in and one consent', async () => {
    const browser = schools.browser('sam', now() - 100);
    const { url } = await browser.follow(request({ prompt: 'login consent' }));
    browser.platformCookie('auth_time', String(now()));
    const end = await authorize(browser, new URL(url.searchParams.get('return_to') ?? ''));
    expect(await subject(end)).toBe('sam');
  });
});

describe('prompt=select_account', () => {
  test.each([
    ['a signed-in person', 'sam'],
    ['no one', undefined],
  ])('%s is sent to choose, and a choice without a new sign-in is enough', async (_name, person) => {
    const browser = schools.browser(person, now() - 100);
    const { url } = await browser.follow(request({ prompt: 'select_account' }));
    expect([url.pathname, url.searchParams.get('reauthenticate'), url.searchParams.get('select')]).toEqual([
      '/sign-in',
      'true',
      'true',
    ]);
    browser.platformCookie('person', 'sam');
    browser.platformCookie('auth_time', String(now() - 100));
    expect(await subject(await authorize(browser, new URL(url.searchParams.get('return_to') ?? '')))).toBe('sam');
  });

  test('the code is for the person who was chosen, also where the other one has no access', async () => {
    const browser = schools.browser('sam', now() - 100);
    const { url } = await browser.follow(request({ prompt: 'select_account' }, reports));
    expect(url.pathname).toBe('/sign-in');
    browser.platformCookie('person', 'olivia');
    const end = await authorize(browser, new URL(url.searchParams.get('return_to') ?? ''));
    expect(await subject(end, reports)).toBe('olivia');
  });

  test.each([
    { prompt: 'select_account login' },
    { prompt: 'login select_account' },
    { prompt: 'select_account', max_age: '50' },
  ])('with %j the choice has to be a new sign-in, once', async (changes) => {
    const browser = schools.browser('sam', now() - 100);
    const { url } = await browser.follow(request(changes));
    const returnTo = url.searchParams.get('return_to') ?? '';
    const stale = await browser.follow(returnTo);
    expect([stale.response.status, stale.html.includes('Sign in again')]).toEqual([403, true]);
    browser.platformCookie('auth_time', String(now()));
    expect(await subject(await authorize(browser, new URL(returnTo)))).toBe('sam');
  });

  test('the request without it is not sent to choose', async () => {
    const { url } = await schools.browser().follow(request());
    expect(url.searchParams.get('select')).toBe('undefined');
  });
});

describe('another person', () => {
  test('a person who signs in gets a code of their own, never one for the person who was signed in before', async () => {
    const browser = schools.browser('olivia');
    await authorize(browser, request());
    browser.platformCookie('person', 'sam');
    expect(await subject(await authorize(browser, request()))).toBe('sam');
  });

  test('prompt=none after a sign-out at the platform is login_required, even with a session cookie of ours', async () => {
    const browser = schools.browser('sam');
    await authorize(browser, request());
    expect(await subject(await browser.follow(request({ prompt: 'none' })))).toBe('sam');
    browser.platformCookie('person', undefined);
    expect((await browser.follow(request({ prompt: 'none' }))).url.searchParams.get('error')).toBe('login_required');
  });

  test('a change of person between the consent page and its form: a page that says so, with a link that continues', async () => {
    const browser = schools.browser('olivia');
    const page = await browser.follow(request());
    browser.platformCookie('person', 'sam');
    const result = await browser.decide(page, 'allow');
    expect(result.response.status).toBe(403);
    expect(result.html).toContain('signed in as someone else');
    const back = readPage(result.html).getByRole('link', { name: /^Sign in as Olivia Owner$/ });
    expect(new URL(back.href).searchParams.get('return_to')).toBe(page.url.href);
    expect(result.html).not.toContain('olivia@example.com');
    const { href } = readPage(result.html).getByRole('link', { name: 'Start again as yourself' });
    expect(await subject(await authorize(browser, new URL(href)))).toBe('sam');
  });

  test('a change of person during prompt=login: the code is for the person who came back', async () => {
    const browser = schools.browser('olivia', now() - 100);
    await authorize(browser, request());
    const { url } = await browser.follow(request({ prompt: 'login' }));
    browser.platformCookie('person', 'sam');
    browser.platformCookie('auth_time', String(now()));
    const end = await authorize(browser, new URL(url.searchParams.get('return_to') ?? ''));
    expect(await subject(end)).toBe('sam');
  });

  test('prompt=login for an operator client: a student may come back as the owner, and the code is for the owner', async () => {
    const browser = schools.browser('sam', now() - 100);
    const { url } = await browser.follow(request({ prompt: 'login' }, reports));
    expect(url.pathname).toBe('/sign-in');
    browser.platformCookie('person', 'olivia');
    browser.platformCookie('auth_time', String(now()));
    const end = await authorize(browser, new URL(url.searchParams.get('return_to') ?? ''));
    expect(await subject(end, reports)).toBe('olivia');
  });
});
