import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Stop } from '../helpers/browser.ts';
import { authorize, authorizeUrl, type Changes, connect, exchange, pkce, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const now = (): number => Math.floor(Date.now() / 1000);
const pair = pkce();

let schools: Schools;
let samsHint: string;
beforeEach(async () => {
  schools = await startSchools();
  samsHint = String((await connect(schools.browser('sam'), schools.harbour, webMemberApp)).body['id_token']);
});
afterEach(() => schools.close());

const request = (changes: Changes = {}): URL =>
  authorizeUrl(schools.harbour, webMemberApp, pair, { id_token_hint: samsHint, ...changes });

/** Signs in as a person at the sign-in page where a flow has stopped, and returns. */
async function returnAs(browser: Browser, { url }: Stop, person: string, authTime: number = now()): Promise<Stop> {
  expect(url.pathname).toBe('/sign-in');
  browser.platformCookie('person', person);
  browser.platformCookie('auth_time', String(authTime));
  return authorize(browser, new URL(url.searchParams.get('return_to') ?? ''));
}

function expectLoginRequired({ url }: Stop): void {
  expect(`${url.origin}${url.pathname}`).toBe(webMemberApp.redirectUri);
  const { error, state, iss, code } = Object.fromEntries(url.searchParams);
  expect({ error, state, iss, code }).toEqual({ error: 'login_required', state: 'the-state', iss: schools.harbour });
  expect(url.searchParams.get('error_description')).toMatch(/id_token_hint/);
}

/** Where the person stands when the request arrives, and what else it asks for. */
const beginnings: readonly [string, string | undefined, Changes][] = [
  ['no one is signed in', undefined, {}],
  ['Olivia is signed in', 'olivia', {}],
  ['Sam is signed in, prompt=login', 'sam', { prompt: 'login' }],
  ['Sam is signed in, max_age=0', 'sam', { max_age: '0' }],
  ['Sam signed in too long ago for max_age', 'sam', { max_age: '10' }],
  ['Olivia is signed in, prompt=login', 'olivia', { prompt: 'login' }],
  ['Sam is signed in, prompt=select_account', 'sam', { prompt: 'select_account' }],
];

test.each(beginnings)('%s: login_required when Olivia returns', async (_name, person, changes) => {
  const browser = schools.browser(person, now() - 100);
  expectLoginRequired(await returnAs(browser, await browser.follow(request(changes)), 'olivia'));
});

test.each(beginnings)('%s: a code for Sam when he returns', async (_name, person, changes) => {
  const browser = schools.browser(person, now() - 100);
  const { url } = await returnAs(browser, await browser.follow(request(changes)), 'sam');
  const code = url.searchParams.get('code') ?? '';
  const { body } = await exchange({ origin: schools.harbour, client: webMemberApp, code, verifier: pair.verifier });
  expect(JSON.parse(Buffer.from(String(body['id_token']).split('.')[1] ?? '', 'base64url').toString()).sub).toBe('sam');
});

test('Olivia is signed in and Sam returns with the session that he had: that is he', async () => {
  const browser = schools.browser('olivia', now() - 100);
  const stop = await browser.follow(request());
  expect(stop.url.searchParams.get('reauthenticate')).toBe('true');
  expect((await returnAs(browser, stop, 'sam', now() - 50)).url.searchParams.get('code')).toBeTruthy();
});

test('Olivia returns without signing in again: login_required, not one more sign-in', async () => {
  const browser = schools.browser('olivia', now() - 100);
  expectLoginRequired(await returnAs(browser, await browser.follow(request()), 'olivia', now() - 100));
});

test('who signs in elsewhere while the request waits is sent to the sign-in page first', async () => {
  const browser = schools.browser();
  const first = await browser.fetch(request());
  browser.platformCookie('person', 'olivia');
  const stop = await browser.follow(new URL(first.headers.get('location') ?? '', schools.harbour));
  expect([stop.url.pathname, stop.url.searchParams.get('reauthenticate')]).toEqual(['/sign-in', 'true']);
});

test('a hint without openid is ignored, so anyone may return', async () => {
  const browser = schools.browser();
  const stop = await browser.follow(request({ scope: 'profile email account:read' }));
  expect((await returnAs(browser, stop, 'olivia')).url.searchParams.get('code')).toBeTruthy();
});

test('Olivia, who allowed before, goes on at once instead of to the sign-in page: no code', async () => {
  await connect(schools.browser('olivia'), schools.harbour, webMemberApp);
  const browser = schools.browser('olivia', now() - 100);
  const first = await browser.fetch(request());
  const interaction = new URL(first.headers.get('location') ?? '', schools.harbour);
  const { url } = await browser.follow(interaction.href.replace('interaction', 'authorize'));
  expect(url.searchParams.has('code')).toBe(false);
  expect(url.pathname).toBe('/sign-in');
});
