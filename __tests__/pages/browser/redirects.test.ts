import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { StaticClient } from '../../../lib/index.ts';
import { startChromium } from '../../helpers/chromium.ts';
import { testClients } from '../../helpers/clients.ts';
import { authorizeUrl, memberApp, pkce, type TestClient, webMemberApp } from '../../helpers/flow.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';

const phoneApp: StaticClient = {
  clientId: 'phone-app',
  clientName: 'Phone School',
  audience: 'member',
  redirectUris: ['com.example.phone:/callback'],
  scopes: ['openid'],
};

let schools: Schools;
let browser: Browser;
beforeAll(async () => {
  schools = await startSchools({ campus: { clients: [...testClients, phoneApp] } });
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  await schools.close();
});

test.each<[string, TestClient]>([
  ['https', webMemberApp],
  ['loopback', memberApp],
  ['a private-use scheme', { id: 'phone-app', redirectUri: 'com.example.phone:/callback', scope: 'openid' }],
])('allowing consent redirects to %s without violating the CSP', async (_name, client) => {
  const context = await browser.newContext();
  await context.addCookies([{ name: 'person', value: 'sam', url: schools.harbour }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(authorizeUrl(schools.harbour, client, pkce()).href);
  const sentOn = page.waitForResponse((response) =>
    (response.headers()['location'] ?? '').startsWith(client.redirectUri),
  );
  await page.getByRole('button', { name: /^Connect/ }).click({ noWaitAfter: true });
  expect(new URL((await sentOn).headers()['location'] ?? '').searchParams.get('code')).toMatch(/^[\w-]{43}$/);
  expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  await context.close();
});

test('a form of another site is the request of the person who is signed in: cookies with SameSite=Lax arrive', async () => {
  const context = await browser.newContext();
  await context.addCookies([{ name: 'person', value: 'olivia', url: schools.harbour, sameSite: 'Lax' }]);
  const page = await context.newPage();
  await page.goto(authorizeUrl(schools.harbour, webMemberApp, pkce()).href);
  const sentOn = (): Promise<URLSearchParams> =>
    page
      .waitForResponse((response) => (response.headers()['location'] ?? '').startsWith(webMemberApp.redirectUri))
      .then((response) => new URL(response.headers()['location'] ?? '').searchParams);
  const allowed = sentOn();
  await page.getByRole('button', { name: /^Connect/ }).click({ noWaitAfter: true });
  expect((await allowed).has('code')).toBe(true);
  const { searchParams } = authorizeUrl(schools.harbour, webMemberApp, pkce(), { prompt: 'none' });
  const inputs = [...searchParams].map(([name, value]) => `<input name="${name}" value="${value}">`).join('');
  const body = `<form method="post" action="${schools.harbour}/oauth/authorize">${inputs}<button>Connect</button></form>`;
  await page.route('http://library.example/', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('http://library.example/');
  const silent = sentOn();
  await page.getByRole('button', { name: 'Connect' }).click({ noWaitAfter: true });
  expect(Object.fromEntries(await silent)).toMatchObject({ code: expect.any(String), state: 'the-state' });
  await context.close();
});
