import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { csrfOf } from '../helpers/browser.ts';
import { authorizeUrl, memberApp, pkce } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

const applications = '/developers/oauth-applications';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({
    wrapPlatform: (platform) => ({
      ...platform,
      findMember: (site, id) => {
        if (id === 'tess') throw new Error('the member database is unavailable');
        return platform.findMember(site, id);
      },
    }),
  });
});
afterAll(() => schools.close());

const titleOf = (html: string): string => readPage(html).title;
/** Where the links of the page itself lead that look like buttons. */
const buttonsOf = (html: string): string[] =>
  readPage(html)
    .getByRole('main')
    .getAllByRole('link')
    .filter((link) => link.attribute('class')?.startsWith('button') === true)
    .map(({ href }) => href);

describe('a page that goes no further leads somewhere', () => {
  const unknownClient = (): URL => authorizeUrl(schools.harbour, { ...memberApp, id: 'nobody' }, pkce());
  test.each<[string, string, () => string | URL, string]>([
    ['a request that cannot be completed', 'sam', unknownClient, '/'],
    ['an interaction that has ended', 'sam', () => `${schools.harbour}/oauth/interaction/over`, '/'],
    ['a fault', 'tess', () => `${schools.harbour}/account/apps?page=2`, '/account/apps?page=2'],
    ['an application that is gone', 'olivia', () => `${schools.harbour}${applications}/app-gone`, applications],
    ['no connected apps', 'olivia', () => `${schools.harbour}/account/apps`, '/'],
  ])('%s', async (_name, person, address, href) => {
    const { html } = await schools.browser(person).follow(address());
    expect(buttonsOf(html)).toContain(href);
    expect(readPage(html).getByRole('banner').getByRole('link', { name: 'Harbour School' }).href).toBe('/');
  });
});

describe('a page of who is signed in keeps the navigation', () => {
  const console = 'Console for administrators';
  const expired = { csrf: 'x', action: 'save' };
  test.each<[string, string, Readonly<Record<string, string>> | undefined]>([
    ['an application that is gone', `${applications}/app-gone`, undefined],
    ['an app that nobody has connected', '/developers/apps?client=nobody', undefined],
    ['a person who is gone', '/developers/apps/people?person=nobody', undefined],
    ['an expired form', `${applications}/new?audience=member`, expired],
  ])('%s', async (_name, path, form) => {
    const sent = form && { method: 'POST', body: new URLSearchParams(form) };
    const { response, html } = await schools.browser('olivia').follow(schools.harbour + path, sent);
    expect(response.status).toBe(form ? 400 : 404);
    const links = readPage(html).getByRole('navigation', { name: console }).getAllByRole('link');
    expect(links.length).toBeGreaterThan(1);
  });

  test.each([
    ['an app that is not connected', undefined, 404],
    ['an expired form', { csrf: 'x', action: 'end' }, 400],
  ])('or, with one page alone, says who that is: %s', async (_name, form, status) => {
    const sent = form && { method: 'POST', body: new URLSearchParams(form) };
    const { response, html } = await schools.browser('sam').follow(`${schools.harbour}/account/apps/nothing`, sent);
    expect([response.status, readPage(html).text.includes('sam@example.com')]).toEqual([status, true]);
  });

  test.each(['rotate', 'remove'])('an application that has changed since %s was opened', async (action) => {
    const olivia = schools.browser('olivia');
    const site = harbourSite(schools.harbour);
    const settings = { clientName: 'Notes', redirectUris: ['https://notes.example/back'], scopes: ['openid'] };
    const { application } = await schools.campus.applications.create(site, { ...settings, confidential: true });
    const page = `${schools.harbour}${applications}/${application.clientId}`;
    const { html } = await olivia.follow(`${page}?confirm=${action}`);
    await schools.campus.applications.update(site, application.clientId, { ...settings, clientName: 'Other' });
    const body = new URLSearchParams({ csrf: csrfOf(html), action, version: readPage(html).field('version') });
    const stale = await olivia.follow(page, { method: 'POST', body });
    expect(stale.response.status).toBe(409);
    const shown = readPage(stale.html);
    shown.getByRole('navigation', { name: console });
    shown.getByRole('heading', { name: 'This has changed in the meantime' });
    // It is not known who did it: it can have been the same person.
    expect(shown.text).toContain('This changed after you opened the page');
    expect(await schools.campus.applications.find(site, application.clientId)).toMatchObject({ clientName: 'Other' });
  });
});

describe('an error page', () => {
  const detailsOn = (html: string): Record<string, string> =>
    Object.fromEntries(
      (readPage(html).getById('details')?.value ?? '')
        .split('\n')
        .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );

  test('has the cause and one action for the person, and for developers what was received, as text', async () => {
    const redirectUri = 'https://evil.example/"><script>alert(1)</script>';
    const request = authorizeUrl(schools.harbour, { ...memberApp, redirectUri }, pkce());
    const { html } = await schools.browser('sam').follow(request);
    expect(html).toContain('It wanted to send you to an address that');
    expect(readPage(html).text).toContain('Only the makers of the app can correct this.');
    expect(readPage(html).text).not.toMatch(/try again/);
    expect(buttonsOf(html)).toEqual(['/']);
    expect(html).not.toMatch(/<script>|href="https:\/\/evil/);
    expect(detailsOn(html)).toEqual({
      error: 'invalid_redirect_uri',
      error_description: expect.any(String),
      client_id: memberApp.id,
      redirect_uri: redirectUri,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      reference: expect.any(String),
    });
    const chinese = await schools.browser('sam').follow(request, { headers: { 'accept-language': 'zh-TW' } });
    expect(chinese.html).toContain('它想將您帶往');
    const terms = Object.keys(readPage(chinese.html).facts);
    expect(terms).toEqual(expect.arrayContaining(['代碼', '時間', '參考編號', '重新導向網址']));
  });

  test.each<[string, () => URL, string]>([
    [
      'an unknown client',
      () => authorizeUrl(schools.harbour, { ...memberApp, id: 'nobody' }, pkce()),
      'doesn’t know this app',
    ],
    [
      'a request that lacks a parameter',
      () => new URL(`${schools.harbour}/oauth/authorize`),
      'a request that we can’t accept',
    ],
  ])('says why: %s', async (_name, address, cause) => {
    expect((await schools.browser('sam').follow(address())).html).toContain(cause);
  });

  test('of a fault has the reference of the fault event, which is the X-Request-Id if there is one', async () => {
    const references: (string | undefined)[] = [];
    schools.campus.events.on('fault', ({ requestId }) => references.push(requestId));
    const address = `${schools.harbour}/account/apps`;
    for (const headers of [{}, { 'x-request-id': 'req-7' }]) {
      const { html } = await schools.browser('tess').follow(address, { headers });
      const details = detailsOn(html);
      expect([details['error'], details['error_description']]).toEqual(['temporarily_unavailable', undefined]);
      expect(details['reference']).toBe(references.at(-1));
    }
    expect(references).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), 'req-7']);
  });

  test.each([
    ['expired', 'sam', '/oauth/interaction/over'],
    ['forbidden', 'sam', applications],
    ['missing', 'olivia', `${applications}/app-gone`],
    ['connected.missing', 'sam', '/account/apps/gone'],
  ])('%s has its code, the time and the reference', async (code, person, path) => {
    const headers = { 'x-request-id': `req-${code}` };
    const { response, html } = await schools.browser(person).follow(schools.harbour + path, { headers });
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(detailsOn(html)).toEqual({ error: code, time, reference: `req-${code}` });
    expect(response.headers.get('content-security-policy')).toContain('/oauth/pages.js');
  });
});

test('a page that the signed-in person may not see says who that is', async () => {
  const { html } = await schools.browser('sam').follow(`${schools.harbour}${applications}`);
  readPage(html).getByText(/^Signed in as Sam Student \(sam@example\.com\)/);
});

describe('the title of a form with problems starts with "Error:"', () => {
  test('an application without a name', async () => {
    const olivia = schools.browser('olivia');
    const { url, html } = await olivia.follow(`${schools.harbour}${applications}/new`);
    expect(titleOf(html)).toMatch(/^New app for members/);
    const body = new URLSearchParams({ csrf: csrfOf(html), name: '' });
    const again = await olivia.follow(url, { method: 'POST', body });
    expect(titleOf(again.html)).toMatch(/^Error: New app for members/);
    expect(readPage(again.html).getByLabelText('Name').attribute('aria-invalid')).toBe('true');
    const headers = { 'accept-language': 'zh-Hant' };
    expect(titleOf((await olivia.follow(url, { method: 'POST', body, headers })).html)).toMatch(/^錯誤：\S/);
  });

  test('consent with nothing ticked', async () => {
    const sam = schools.browser('sam');
    const request = authorizeUrl(schools.harbour, memberApp, pkce(), {
      scope: 'account:read account:write',
      nonce: undefined,
    });
    const { url, html } = await sam.follow(request);
    const body = new URLSearchParams({ csrf: csrfOf(html), choice: 'shown', decision: 'allow' });
    expect(titleOf((await sam.follow(url, { method: 'POST', body })).html)).toMatch(
      /^Error: Connect \S.* to your account/,
    );
  });
});

test('a message about what was done is not believed to an address that somebody wrote', async () => {
  const olivia = schools.browser('olivia');
  const { application } = await schools.campus.applications.create(harbourSite(schools.harbour), {
    clientName: 'Study Timer',
    redirectUris: ['https://timer.example/callback'],
    scopes: ['openid'],
    confidential: false,
  });
  const here = `${schools.harbour}${applications}`;
  for (const address of [
    `${here}?removed=40`,
    `${here}/${application.clientId}?saved=1`,
    `${here}?removed=1&proof=x`,
  ]) {
    const messages = readPage((await olivia.follow(address)).html).getAllByRole('status', { text: /./ });
    expect(messages).toEqual([]);
  }
  const { url, html } = await olivia.follow(`${here}/${application.clientId}?confirm=remove`);
  const version = readPage(html).field('version');
  const body = new URLSearchParams({ csrf: csrfOf(html), action: 'remove', version });
  const after = await olivia.follow(url, { method: 'POST', body });
  expect(readPage(after.html).getByRole('status').text).toContain('It was removed');
  expect((await schools.browser('sam').follow(after.url)).html).not.toContain('It was removed');
});
