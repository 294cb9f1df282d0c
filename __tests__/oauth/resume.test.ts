import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Browser } from '../helpers/browser.ts';
import { authorizeUrl, connect, exchange, pkce, postForm, userinfo, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
beforeEach(async () => {
  schools = await startSchools();
});
afterEach(() => schools.close());

/** Starts signed out, signs in as sam, and stops right before the engine resumes. */
async function untilResume(browser: Browser): Promise<URL> {
  const first = await browser.fetch(authorizeUrl(schools.harbour, webMemberApp, pkce()));
  const interaction = new URL(first.headers.get('location') ?? '', schools.harbour);
  await browser.fetch(interaction);
  browser.platformCookie('person', 'sam');
  const accepted = await browser.fetch(interaction);
  return new URL(accepted.headers.get('location') ?? '', schools.harbour);
}

test.each([
  ['another person', 'olivia'],
  ['no one', undefined],
])('an accepted sign-in is not used once %s is signed in', async (_name, person) => {
  await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  const browser = schools.browser();
  const resume = await untilResume(browser);
  browser.platformCookie('person', person);
  const { url, html } = await browser.follow(resume);
  expect(url.searchParams.has('code')).toBe(false);
  expect(html).not.toContain('Sam Student');
});

test('a sign-in in another tab does not lead to a built-in page of the engine', async () => {
  const browser = schools.browser();
  const resume = await untilResume(browser);
  browser.platformCookie('person', 'olivia');
  await browser.fetch(authorizeUrl(schools.harbour, webMemberApp, pkce()));
  const { html, url } = await browser.follow(resume);
  expect(html).not.toContain('<script');
  expect(url.pathname).not.toContain('/session/end');
});

test('two concurrent consents make one connection with two families', async () => {
  const [first, second] = [pkce(), pkce()];
  const [one, other] = [schools.browser('sam'), schools.browser('sam')];
  const pages = [
    await one.follow(authorizeUrl(schools.harbour, webMemberApp, first)),
    await other.follow(authorizeUrl(schools.harbour, webMemberApp, second)),
  ] as const;
  const codes = [await one.decide(pages[0], 'allow'), await other.decide(pages[1], 'allow')].map(
    ({ url }) => url.searchParams.get('code') ?? '',
  );
  const redeem = (code = '', { verifier } = first) =>
    exchange({ origin: schools.harbour, client: webMemberApp, code, verifier });
  const [a, b] = [await redeem(codes[0], first), await redeem(codes[1], second)];
  const site = harbourSite(schools.harbour);
  const { connections } = schools.campus;
  expect(await connections.list(site, 'sam')).toHaveLength(1);
  await postForm(`${schools.harbour}/api/oauth/revoke`, {
    token: String(a.body['refresh_token']),
    client_id: webMemberApp.id,
    client_secret: webMemberApp.secret,
  });
  const statuses = async (): Promise<number[]> =>
    Promise.all([a, b].map(async ({ body }) => (await userinfo(schools.harbour, body['access_token'])).status));
  expect(await statuses()).toEqual([401, 200]);
  expect(await connections.revokeAll(site, 'sam')).toBe(1);
  expect(await statuses()).toEqual([401, 401]);
});

test.each([':05', ':0', ':00080', ':65536'])('a loopback redirect_uri with the port %s is refused', async (port) => {
  await schools.close();
  schools = await startSchools();
  const client = { id: 'member-app', redirectUri: `http://127.0.0.1${port}/callback`, scope: 'openid' };
  const { response, url } = await schools.browser('sam').follow(authorizeUrl(schools.harbour, client, pkce()));
  expect([response.status, url.origin]).toEqual([400, schools.harbour]);
});
