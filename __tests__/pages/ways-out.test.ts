import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { csrfOf } from '../helpers/browser.ts';
import { authorizeUrl, memberApp, pkce } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

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

const titleOf = (html: string): string | undefined => /<title>([^<]*)<\/title>/.exec(html)?.[1];
const buttonsOf = (html: string): (string | undefined)[] =>
  [...html.matchAll(/<a class="button" href="([^"]+)">/g)].map(([, href]) => href);

describe('a page that goes no further leads somewhere', () => {
  const unknownClient = (): URL => authorizeUrl(schools.harbour, { ...memberApp, id: 'nobody' }, pkce());
  test.each<[string, string, () => string | URL, string]>([
    ['a request that cannot be completed', 'sam', unknownClient, '/'],
    ['an interaction that has ended', 'sam', () => `${schools.harbour}/oauth/interaction/over`, '/'],
    ['a fault', 'tess', () => `${schools.harbour}/account/connected-apps?page=2`, '/account/connected-apps?page=2'],
    ['an application that is gone', 'olivia', () => `${schools.harbour}${applications}/app-gone`, applications],
    ['no connected apps', 'olivia', () => `${schools.harbour}/account/connected-apps`, '/'],
  ])('%s', async (_name, person, address, href) => {
    const { html } = await schools.browser(person).follow(address());
    expect(buttonsOf(html)).toContain(href);
    expect(html).toContain('<a class="school" href="/">');
  });
});

describe('the title of a form with problems starts with "Error:"', () => {
  test('an application without a name', async () => {
    const olivia = schools.browser('olivia');
    const { url, html } = await olivia.follow(`${schools.harbour}${applications}/new`);
    expect(titleOf(html)).toMatch(/^Create an application/);
    const body = new URLSearchParams({ csrf: csrfOf(html), name: '' });
    const again = await olivia.follow(url, { method: 'POST', body });
    expect(titleOf(again.html)).toMatch(/^Error: Create an application/);
    expect(again.html).toContain('aria-invalid="true"');
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
    expect(titleOf((await sam.follow(url, { method: 'POST', body })).html)).toMatch(/^Error: Allow /);
  });
});

test('a message about what was done is not believed to an address that somebody wrote', async () => {
  const olivia = schools.browser('olivia');
  const { application } = await schools.campus.applications.create(
    { id: 'harbour', origin: schools.harbour, name: 'Harbour School', connectionsEnabled: true },
    {
      clientName: 'Study Timer',
      redirectUris: ['https://timer.example/callback'],
      scopes: ['openid'],
      confidential: false,
    },
  );
  const here = `${schools.harbour}${applications}`;
  for (const address of [
    `${here}?removed=40`,
    `${here}/${application.clientId}?saved=1`,
    `${here}?removed=1&proof=x`,
  ]) {
    expect((await olivia.follow(address)).html).not.toContain('role="status" tabindex');
  }
  const { url, html } = await olivia.follow(`${here}/${application.clientId}?confirm=remove`);
  const body = new URLSearchParams({ csrf: csrfOf(html), action: 'remove' });
  const after = await olivia.follow(url, { method: 'POST', body });
  expect(after.html).toContain('The application was removed');
  expect((await schools.browser('sam').follow(after.url)).html).not.toContain('The application was removed');
});
