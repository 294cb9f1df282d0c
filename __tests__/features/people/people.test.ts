import { expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { createCampus } from '../../../lib/campus.ts';
import type { Campus, ConnectedPerson, PeopleQuery, SchoolPlatform, StaticClient } from '../../../lib/index.ts';
import type { Store } from '../../../lib/store.ts';
import { fakePlatform } from '../../../lib/testing/index.ts';
import { signingKey } from '../../helpers/keys.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { useClient } from '../../helpers/used-clients.ts';

const site = harbourSite();
const at = Math.floor(Date.now() / 1000);
const claude = { id: 'claude', verified: true };
const document = 'https://app.example/client.json';

const staticClient = {
  audience: 'member',
  redirectUris: ['https://app.example/callback'],
  scopes: ['openid'],
} as const;

/** Every third of 50 people is a teacher, and the last one is no longer at the school. */
const people = Object.fromEntries(
  Array.from({ length: 49 }, (_, i) => [
    `member-${i}`,
    { name: `Person ${i}`, roles: [i % 3 === 0 ? 'teacher' : 'student'] },
  ]),
);

async function campusOn(
  store: Store,
  platform: Partial<SchoolPlatform> = {},
  clients: readonly StaticClient[] = [],
): Promise<Campus> {
  return createCampus({
    clients,
    platform: { ...fakePlatform({ schools: [site], people: { harbour: people } }), ...platform },
    store,
    keys: { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] },
  });
}

/** A store with 50 people: all have the first client, 30 an app as one of two programs, or both, and 25 a metadata document. */
async function connected(): Promise<Store> {
  const store = memoryStore();
  await useClient(store, 'timetable', { people: 50, at });
  await useClient(store, 'claude-1', { people: 30, name: 'Claude', app: claude, at });
  await useClient(store, 'claude-2', { people: 12, name: 'Claude', app: claude, at });
  await useClient(store, document, { people: 25, at });
  return store;
}

/** All pages. */
async function all(campus: Campus, query: PeopleQuery): Promise<readonly (readonly ConnectedPerson[])[]> {
  const pages = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page = await campus.people.find(site, { ...query, cursor });
    pages.push(page.people);
    cursor = page.next;
  }
  return pages;
}

const idsOf = (pages: readonly (readonly ConnectedPerson[])[]): string[] =>
  pages.flat().map(({ memberId }) => memberId);
const members = (count: number, isWanted = (_i: number) => true): string[] =>
  Array.from({ length: count }, (_, i) => i)
    .filter(isWanted)
    .map((i) => `member-${i}`);

test('people.find: each person comes once, with all that they have connected, 20 on a page at most', async () => {
  const campus = await campusOn(await connected());
  const pages = await all(campus, {});
  expect(idsOf(pages).sort()).toEqual(members(50).sort());
  expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(20);
  const found = new Map(pages.flat().map((person) => [person.memberId, person]));
  expect(found.get('member-3')).toMatchObject({
    name: 'Person 3',
    email: 'member-3@example.com',
    roles: ['teacher'],
    total: 4,
  });
  expect(
    found
      .get('member-3')
      ?.connections.map(({ clientId }) => clientId)
      .sort(),
  ).toEqual(['claude-1', 'claude-2', document, 'timetable'].sort());
  expect(found.get('member-49')).toMatchObject({ memberId: 'member-49', total: 1 });
  expect(found.get('member-49')).not.toHaveProperty('roles');
});

test('connections are in one order everywhere: the latest allowed first, then by name and by client', async () => {
  const store = memoryStore();
  const names = { 'z-1': 'Atlas', 'y-2': 'Zebra', 'y-1': 'Zebra', old: 'Abacus' };
  for (const [clientId, name] of Object.entries(names)) {
    await useClient(store, clientId, { name, at, allowedAt: clientId === 'old' ? at - 60 : at });
  }
  const clients = Object.entries(names).map(([clientId, clientName]) => ({ ...staticClient, clientId, clientName }));
  const campus = await campusOn(store, {}, clients);
  const {
    people: [found],
  } = await campus.people.find(site);
  const { connections: exported } = await campus.members.export(site, 'member-0');
  const listed = await campus.connections.list(site, 'member-0');
  for (const connections of [listed, found?.connections, exported])
    expect(connections?.map(({ clientId }) => clientId)).toEqual(['z-1', 'y-1', 'y-2', 'old']);
  const pages = [1, 2].map((page) => campus.connections.list(site, 'member-0', { page, size: 3 }));
  const paged = (await Promise.all(pages)).flat().map(({ clientId }) => clientId);
  expect(paged.toSorted()).toEqual(Object.keys(names).toSorted());
});

test.each<[string, PeopleQuery, string[], number]>([
  ['an app', { app: 'claude' }, members(30), 2],
  ['a client', { app: { clientId: document } }, members(25), 1],
  ['a role', { role: 'teacher' }, members(49, (i) => i % 3 === 0), 4],
  ['a role and an app', { role: 'student', app: 'claude' }, members(30, (i) => i % 3 !== 0), 2],
  ['a role that nobody has', { role: 'owner' }, [], 0],
  ['an app that nobody has', { app: 'cursor' }, [], 0],
])('people.find: those with %s', async (_what, query, expected, most) => {
  const pages = await all(await campusOn(await connected()), query);
  expect(idsOf(pages).sort()).toEqual(expected.sort());
  expect(Math.max(0, ...pages.flat().map(({ total }) => total))).toBe(most);
});

test('people.find: a page asks the platform for a bounded number of people, whoever has the role', async () => {
  let asked = 0;
  const store = memoryStore();
  await useClient(store, 'timetable', { people: 150, at });
  const campus = await campusOn(store, { findMember: (_site, id) => ((asked += 1), { id, roles: ['student'] }) });
  const { people: none, next } = await campus.people.find(site, { role: 'teacher' });
  expect([none, asked]).toEqual([[], 100]);
  expect(next).toBeDefined();
});

test('people.find: by name or address where the platform can, with people who have connected nothing', async () => {
  const searchMembers: SchoolPlatform['searchMembers'] = (_site, text) =>
    [
      { id: 'member-4', name: 'Sam', email: 'Sam@example.com', roles: ['student'] },
      { id: 'nora', name: 'Samira', roles: ['teacher'] },
    ].filter(({ name, email = '' }) => `${name} ${email}`.toLowerCase().includes(text.toLowerCase()));
  const campus = await campusOn(await connected(), { searchMembers });
  const found = async (query: PeopleQuery) =>
    (await campus.people.find(site, query)).people.map(({ memberId, total }) => [memberId, total]);
  expect(await found({ search: 'sam' })).toEqual([
    ['member-4', 4],
    ['nora', 0],
  ]);
  expect(await found({ search: 'sam', role: 'teacher' })).toEqual([['nora', 0]]);
  expect(await found({ search: 'sam', app: 'claude' })).toEqual([['member-4', 2]]);
  const explained = await campus.explain(site, { app: 'claude', email: 'sam@EXAMPLE.com', scopes: ['courses:read'] });
  expect(explained.outcome).toBe('allowed');
  const nobody = await campus.explain(site, { app: 'claude', email: 'sam@example.co' });
  expect(nobody.reasons).toMatchObject([{ code: 'no_member', text: expect.stringContaining('with this address') }]);
});

test('people.find and explain: without searchMembers, a search says what it needs', async () => {
  const campus = await campusOn(memoryStore());
  await expect(campus.people.find(site, { search: 'sam' })).rejects.toThrow(
    new TypeError('people.find.query.search needs platform.searchMembers, which finds people by name or address'),
  );
  await expect(campus.explain(site, { app: 'claude', email: 'sam@example.com' })).rejects.toThrow(
    'email needs platform.searchMembers; pass memberId instead',
  );
});

test.each([
  ['text', 'nothing'],
  ['half of a surrogate pair', Buffer.from(String.raw`{"clientId":"\ud800"}`).toString('base64url')],
  ['another member', Buffer.from('{"grant":"a"}').toString('base64url')],
])('people.find: a cursor that no page had is refused: %s', async (_what, cursor) => {
  const campus = await campusOn(memoryStore());
  await expect(campus.people.find(site, { cursor })).rejects.toThrow('cursor must be the next of the previous page');
});
