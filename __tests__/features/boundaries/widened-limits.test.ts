import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { AuditEvent } from '../../../lib/index.ts';
import type { Store } from '../../../lib/store.ts';
import { readPage } from '../../helpers/page.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { Asking, Classes, limited, tools, withClasses } from './limited-schools.ts';

// The limits that come with a permission count, or the caller learns that they do not: whatever else happens to the connection.

let schools: Schools;
let id: string;
const memory = memoryStore();
/** What is called when the grant has been read, and is about to be written. */
let first: (() => Promise<unknown>) | undefined;
const store: Store = {
  ...memory,
  save: async (siteId, entry) => {
    const other = entry.kind === 'Grant' ? first : undefined;
    if (other) {
      first = undefined;
      await other();
    }
    return memory.save(siteId, entry);
  },
};
/** How often a person is still found. */
let lookups = Infinity;
const events: AuditEvent[] = [];

beforeAll(async () => {
  schools = await startSchools({
    campus: { ...withClasses(new Classes()), store },
    mcp: { tools },
    wrapPlatform: (platform) => ({
      ...platform,
      findMember: (site, memberId) => {
        lookups -= 1;
        return lookups < 0 ? undefined : platform.findMember(site, memberId);
      },
    }),
  });
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterAll(() => schools.close());

const site = () => siteOf(schools, 'harbour');
const connections = () => schools.campus.connections;
const connection = () => connections().find(site(), 'olivia', id);
const widen = (only: Readonly<Record<string, readonly string[]>>) =>
  connections().widen(site(), 'olivia', id, ['courses:read'], only);

const some = { class: ['c1'] };
const given = ['openid', 'orders:read', 'courses:read'];

/** Olivia has refused the courses. */
beforeEach(async () => {
  await connections().revokeAll(site(), 'olivia');
  const asking = await new Asking(schools.browser('olivia'), schools.harbour, limited).open();
  await (await asking.allow({ scope: ['orders:read'], 'limit.class': 'all' })).tokens();
  id = (await connections().list(site(), 'olivia'))[0]?.id ?? '';
  events.length = 0;
});

/** The page of the app as it is now; its form of the permissions is sent later. */
async function openPage() {
  const url = `${schools.harbour}/account/apps/${id}`;
  const browser = schools.browser('olivia');
  const forms = readPage((await browser.follow(url)).html).getAllByRole('form');
  const fields = [...(forms.find((form) => form.fields.has('scope'))?.fields ?? [])];
  return async (limit: 'all' | 'some', only: readonly string[] = []) => {
    const body = new URLSearchParams(fields);
    body.append('add', 'courses:read');
    body.set('limit.class', limit);
    for (const each of only) body.append('only.class', each);
    const { html, response } = await browser.follow(url, { method: 'POST', body });
    const alert = html === '' ? undefined : readPage(html).queryByRole('alert')?.text;
    return { status: response.status, saved: html.includes('Saved for all devices.'), alert };
  };
}

test('widen limits a connection that has the scopes, and checks the limits as limit does', async () => {
  await widen({});
  events.length = 0;
  await expect(widen({ class: ['s1'] })).rejects.toThrow(
    'a limit of the type "class" must have ids of the person, not "s1"',
  );
  await expect(widen({ course: ['c1'] })).rejects.toThrow(
    'the limits must have types of the option boundaries, not "course"',
  );
  expect(await widen(some)).toMatchObject({ scopes: given, only: some });
  expect(events).toMatchObject([{ action: 'connection.limited', only: some }]);
  expect(events[0]).not.toHaveProperty('scopes');
  await widen(some);
  expect(events).toHaveLength(1);
});

test('a person who leaves the school meanwhile gives nothing', async () => {
  lookups = 1;
  try {
    expect(await widen(some)).toBeUndefined();
  } finally {
    lookups = Infinity;
  }
  expect([(await connection())?.scopes, events]).toEqual([['openid', 'orders:read'], []]);
});

test('where another call gives the scopes first, for all, the limits still count', async () => {
  first = () => widen({});
  expect(await widen(some)).toMatchObject({ scopes: given, only: some });
  expect(events.map(({ action }) => action)).toEqual(['connection.widened', 'connection.limited']);
});

test('where another call limits it first, the limits of that call stay, and this one fails', async () => {
  first = () => widen(some);
  await expect(widen({})).rejects.toThrow('the limits of the connection have changed since they were read');
  expect(await connection()).toMatchObject({ scopes: given, only: some });
  expect(events.map(({ action }) => action)).toEqual(['connection.widened']);
});

test('a page says that limits are saved if they are', async () => {
  const choose = await openPage();
  expect(await choose('some', ['c1'])).toMatchObject({ status: 200, saved: true });
  expect(await connection()).toMatchObject({ scopes: given, only: some });
});

test.each([
  [{}, 'some', ['c1']],
  [some, 'all', []],
] as const)('a page does not say so if another choice came first, %j, which stays', async (other, limit, only) => {
  const choose = await openPage();
  first = () => widen(other);
  expect(await choose(limit, only)).toMatchObject({ status: 409, saved: false });
  expect(await connection()).toMatchObject({ scopes: given, ...(limit === 'all' && { only: some }) });
});

test.each([
  ['all', []],
  ['some', ['c2']],
] as const)('a form of before the permission was given, with %s, changes nothing and says so', async (limit, only) => {
  const choose = await openPage();
  await widen(some);
  expect(await choose(limit, only)).toEqual({
    status: 400,
    saved: false,
    alert: 'It has changed since you opened this page, so nothing is saved. Please look again.',
  });
  expect(await connection()).toMatchObject({ scopes: given, only: some });
});
