import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { StaticClient } from '../../lib/index.ts';
import { grantIdOf, serializeRecord } from '../../lib/records/codec.ts';
import { testClients } from '../helpers/clients.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { countedStore } from '../helpers/stores.ts';
import { hostileName } from './browser/gallery.ts';

const path = '/account/apps';
const count = 5000;

/** With long names, since pages are bounded in bytes. Every five hundredth is hostile. */
const many: readonly StaticClient[] = Array.from({ length: count }, (_, i) => ({
  clientId: `app-${i}`,
  clientName: i % 500 === 7 ? `${i} ${hostileName}` : `App ${i} ${'with a long name '.repeat(5)}`,
  audience: 'member',
  redirectUris: [`https://app-${i}.example/callback`],
  scopes: ['openid', 'account:read'],
  clientUri: `https://app-${i}.example`,
}));

const counted = countedStore();
let schools: Schools;
beforeAll(async () => {
  const { store } = counted;
  schools = await startSchools({ campus: { store, clients: [...testClients, ...many] } });
  const now = Math.floor(Date.now() / 1000);
  for (const [i, { clientId }] of many.entries()) {
    // The later ones were allowed later.
    const ttl = 100_000 + i;
    const parties = { memberId: 'sam', clientId };
    const grant = { accountId: 'sam', clientId, scope: 'openid account:read', resource: schools.harbour, declined: '' };
    const record = serializeRecord('Grant', { ...grant, iat: now + i, exp: now + ttl });
    await store.save('harbour', { kind: 'Grant', id: grantIdOf('sam', clientId), record, ttl, ...parties });
  }
});
afterAll(() => schools.close());

const read = async (query = '', person = 'sam'): Promise<string> => {
  const response = await schools.browser(person).fetch(schools.harbour + path + query);
  expect(response.status).toBe(200);
  return response.text();
};

const appsIn = (html: string): string[] =>
  readPage(html)
    .getAllByRole('link')
    .flatMap(({ name }) => /^App (\d+) /.exec(name)?.[1] ?? []);

test('5,000 connections: every page is below 100 kB, and together they list each once, the latest first', async () => {
  const pages = await Promise.all(Array.from({ length: count / 25 }, (_, i) => read(`?page=${i + 1}`)));
  for (const html of pages) expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  const listed = pages.flatMap(appsIn).map(Number);
  expect(listed).toHaveLength(count - 10);
  expect(listed.every((number, i) => i === 0 || number < (listed[i - 1] ?? 0))).toBe(true);
  expect(pages[0]).toContain('5,000 apps can act for you');
  const second = readPage(pages[1] ?? '').getByRole('navigation', { name: 'Pages' });
  expect(second.text).toBe('26–50 of 5,000');
  const [previous, next] = ['Previous page', 'Next page'].map((name) => second.getByRole('link', { name }));
  expect([previous?.attribute('rel'), previous?.href]).toEqual(['prev', path]);
  expect([next?.attribute('rel'), next?.href]).toEqual(['next', `${path}?page=3`]);
  const last = readPage(pages[199] ?? '').getByRole('navigation', { name: 'Pages' });
  expect(last.queryByRole('link', { name: 'Next page' })).toBeUndefined();
});

test('a page that does not exist is the nearest one', async () => {
  for (const page of ['0', '-1', 'x', '', '1e9', 'Infinity', '201', '2.9'])
    expect(await read(`?page=${page}`)).toMatch(/>(?:1–25|26–50|4,976–5,000) of 5,000</);
});

test('the search finds names and hosts in any case, and keeps what was typed as text', async () => {
  expect(appsIn(await read('?q=APP%20%204912'))).toEqual(['4912']);
  expect(appsIn(await read('?q=app-4431.example'))).toEqual(['4431']);
  const found = readPage(await read('?q=with'));
  found.getByText(/^4,990 connected apps match/);
  expect(found.getByRole('link', { name: 'Next page' }).href).toBe(`${path}?q=with&page=2`);
  const hostile = await read(`?q=${encodeURIComponent('"><script>alert(1)</script>\u202E')}`);
  expect(hostile).not.toMatch(/<script/);
  expect(hostile).toContain('No connected app matches');
  expect(readPage(await read(`?q=${'x'.repeat(5000)}`)).getByRole('searchbox').value).toBe('x'.repeat(100));
});

test('hostile names are text in the list and on the page of the app', async () => {
  const list = await read('?q=gnp.exe');
  expect(list).toContain('10 connected apps match');
  const [first] = readPage(list).getAllByRole('link', { name: /alert/ });
  const one = await read(first?.href.slice(path.length));
  for (const html of [list, one]) {
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toMatch(/<script|[\u202A-\u202E\u2066\u2067]/);
    expect(html).not.toContain('Very long name Very long name Very long name Very long name Very long name');
  }
});

test('a page of 5,000 reads one list, and three records for each row: twice what is allowed, and the rule', async () => {
  counted.calls.length = 0;
  await read('?page=20');
  // The first two are what is new.
  expect(counted.calls).toEqual(['find', 'list', 'grantIds', ...Array.from({ length: 3 * 25 }, () => 'find')]);
});
