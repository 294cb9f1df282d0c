import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startChromium } from '../../helpers/chromium.ts';
import { authorizeUrl, memberApp, pkce, type TestClient, webMemberApp } from '../../helpers/flow.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { listen, type TestServer } from '../../helpers/server.ts';

let schools: Schools;
let browser: Browser;
let application: TestServer;
beforeAll(async () => {
  schools = await startSchools();
  browser = await startChromium();
  // Like many applications, this one redirects again after its callback.
  application = await listen(() => (req, res) => {
    if (req.url?.startsWith('/callback')) res.writeHead(302, { location: `/done${req.url.slice('/callback'.length)}` });
    res.end('the application');
  });
});
afterAll(async () => {
  await browser.close();
  await application.close();
  await schools.close();
});

test.each([
  ['JavaScript on', true],
  ['JavaScript off', false],
])('allowing consent follows every redirect to the application: %s', async (_name, javaScriptEnabled) => {
  const context = await browser.newContext({ javaScriptEnabled });
  await context.addCookies([{ name: 'person', value: 'sam', url: schools.harbour }]);
  const page = await context.newPage();
  const loopback: TestClient = { ...memberApp, redirectUri: `http://127.0.0.1:${application.port}/callback` };
  await page.goto(authorizeUrl(schools.harbour, loopback, pkce()).href);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Pocket School');
  await page.getByRole('button', { name: /^Connect/ }).click();
  await page.waitForURL(/\/done\?/);
  expect(new URL(page.url()).searchParams.get('code')).toMatch(/^[\w-]{43}$/);
  await context.close();
});

test('denying consent redirects to an https redirect URI', async () => {
  const context = await browser.newContext();
  await context.addCookies([{ name: 'person', value: 'sam', url: schools.harbour }]);
  const page = await context.newPage();
  await page.goto(authorizeUrl(schools.harbour, webMemberApp, pkce()).href);
  const asked = page.waitForRequest((request) => request.url().startsWith('https://buddy.example/callback'));
  await page.getByRole('button', { name: 'Cancel' }).click({ noWaitAfter: true });
  expect(new URL((await asked).url()).searchParams.get('error')).toBe('access_denied');
  await context.close();
});

test('the consent page cannot be framed', async () => {
  const context = await browser.newContext();
  await context.addCookies([{ name: 'person', value: 'sam', url: schools.harbour }]);
  const page = await context.newPage();
  const target = authorizeUrl(schools.harbour, memberApp, pkce()).href;
  await page.goto(`http://127.0.0.1:${application.port}/`);
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.setContent(`<iframe src="${target.replaceAll('&', '&amp;')}"></iframe>`);
  await refused;
  for (const frame of page.frames()) expect(await frame.content()).not.toContain('Pocket School');
  await context.close();
});
