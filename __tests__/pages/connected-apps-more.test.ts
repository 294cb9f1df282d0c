import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { csrfOf, type Stop } from '../helpers/browser.ts';
import { authorizeUrl, exchange, memberApp, pkce, refresh } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

// A permission that was left unticked is given later, on the page of the app.

let schools: Schools;
let refreshToken: unknown;
let path: string;
beforeAll(async () => {
  schools = await startSchools();
  const browser = schools.browser('sam');
  const pair = pkce();
  const page = await browser.follow(authorizeUrl(schools.harbour, memberApp, pair));
  readPage(page.html).getByText('Change this or disconnect any time in Your apps.');
  const body = new URLSearchParams([
    ['csrf', csrfOf(page.html)],
    ['decision', 'allow'],
    ['choice', 'shown'],
    ['scope', 'account:read'],
  ]);
  const { url } = await browser.follow(page.url, { method: 'POST', body });
  const code = url.searchParams.get('code') ?? '';
  const tokens = await exchange({ origin: schools.harbour, client: memberApp, code, verifier: pair.verifier });
  refreshToken = tokens.body['refresh_token'];
  const [connection] = await schools.campus.connections.list(siteOf(schools), 'sam');
  path = `/account/apps/${connection?.id}`;
});
afterAll(() => schools.close());

const open = (): Promise<Stop> => schools.browser('sam').follow(schools.harbour + path);

function post(html: string, fields: readonly (readonly [name: string, value: string])[]): Promise<Stop> {
  const body = new URLSearchParams([['csrf', csrfOf(html)], ...fields.map(([name, value]) => [name, value])]);
  return schools.browser('sam').follow(schools.harbour + path, { method: 'POST', body });
}

async function refreshed(): Promise<unknown> {
  const { body } = await refresh(schools.harbour, memberApp, refreshToken);
  refreshToken = body['refresh_token'];
  return body['scope'];
}

const boxes = (html: string): unknown[] =>
  readPage(html)
    .getAllByRole('checkbox')
    .map((box) => [box.attribute('name'), box.value, box.checked]);

const given = ['scope', 'account:read', true];
const both = [given, ['scope', 'account:write', true]];

test('the page has what was left unticked, and says so; a tick gives it, and the page says when the app gets it', async () => {
  const before = await open();
  expect(boxes(before.html)).toEqual([given, ['add', 'account:write', false]]);
  const page = readPage(before.html);
  page.getByRole('checkbox', { name: /It asked for this\. You left it out\.$/ });
  page.getByText(/What you add, Pocket School gets within 2 hours\.$/);
  expect(page.queryByRole('heading', { name: 'Not available' })).toBeUndefined();
  const saved = await post(before.html, [
    ['scope', 'account:read'],
    ['add', 'account:write'],
  ]);
  expect(readPage(saved.html).getByRole('status').text).toBe(
    'One permission was added. Pocket School gets it when it next renews its access; if it does not, connect it again.',
  );
  expect(boxes(saved.html)).toEqual(both);
  expect(await refreshed()).toBe('openid profile email account:read account:write');
});

test('one form takes a permission away and gives another, and what is given can be all that is left', async () => {
  const before = await open();
  const taken = await post(before.html, [['scope', 'account:read']]);
  expect(readPage(taken.html).getByRole('status').text).toBe('One permission was removed.');
  const swapped = await post(taken.html, [['add', 'account:write']]);
  expect(readPage(swapped.html).getAllByRole('status')).toHaveLength(2);
  expect(boxes(swapped.html)).toEqual([
    ['add', 'account:read', false],
    ['scope', 'account:write', true],
  ]);
  expect(await refreshed()).toBe('openid profile email account:write');
});

test('an older page, on which something was ticked that was taken away meanwhile, does not give it back', async () => {
  const older = await open();
  await post(older.html, []);
  const again = await post(older.html, [['scope', 'account:write']]);
  expect(boxes(again.html)).toEqual([
    ['add', 'account:read', false],
    ['add', 'account:write', false],
  ]);
  expect(await refreshed()).toBe('openid profile email');
});

test('a form with what the app never asked for, or what it may no longer get, changes nothing and says so', async () => {
  const { html } = await open();
  await schools.campus.apps.set(siteOf(schools), { clientId: memberApp.id }, { access: 'allowed', pseudonym: false });
  for (const scope of ['courses:write', '<b>', 'x'.repeat(2000)]) {
    const stop = await post(html, [
      ['add', scope],
      ['add', 'account:read'],
    ]);
    expect([stop.response.status, readPage(stop.html).getByRole('alert').text]).toEqual([
      400,
      'Something that you ticked can’t be given now. Nothing has changed.',
    ]);
    expect(boxes(stop.html)).toEqual([
      ['add', 'account:read', true],
      ['add', 'account:write', false],
    ]);
  }
  expect(await refreshed()).toBe('openid profile email');
});
