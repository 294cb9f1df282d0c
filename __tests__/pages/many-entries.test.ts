import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { grantIdOf } from '../../lib/records/codec.ts';
import { knownApps } from '../../lib/core/known-apps/known-apps.ts';
import { digest } from '../../lib/kernel/crypto.ts';
import { loopbackClients } from '../../policies/loopback-clients.ts';
import { resetClock, stopTime } from '../helpers/clock.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { countedStore } from '../helpers/stores.ts';

const entries = 5000;
const unused = 400;
const { store, calls } = countedStore();
const day = 24 * 60 * 60;

let schools: Schools;
/** The clock stands still while a test counts: what a process remembers does not end on a slow machine. */
let setTime: (seconds: number) => void;
let seconds = 0;
beforeAll(async () => {
  schools = await startSchools({ campus: { store, registration: [loopbackClients()] } });
  const now = Math.floor(Date.now() / 1000);
  const save = (kind: 'Client' | 'ConnectedClient' | 'AppRule', id: string, record: object): Promise<boolean> =>
    store.save('harbour', { kind, id, record: JSON.stringify({ v: 1, ...record }), listed: true });
  for (let i = 0; i < entries; i += 1) {
    const name = `Study Timer ${i} 學習 ${'with a long name '.repeat(4)}`;
    const application = { client_id: `app-${i}`, client_name: name, client_id_issued_at: now - 200 * day + i };
    const settings = { redirect_uris: ['https://timer.example/'], scope: 'openid', campus_created_by: 'olivia' };
    await save('Client', `app-${i}`, {
      ...application,
      ...settings,
      campus_source: 'application',
      campus_audience: 'member',
    });
    const id = `registered-${i}`;
    const client = { client_id: id, client_name: name, scope: 'openid', campus_source: 'registered' };
    await store.save('harbour', { kind: 'Client', id, record: JSON.stringify({ v: 1, ...client }), ttl: 1000 });
    const at = i < unused ? now - 100 * day - i : now - i;
    // Every other one is of a known app.
    const app = i % 2 === 0 ? { app: 'claude-code' } : {};
    await save('ConnectedClient', digest(id), { client_id: id, client_name: name, at, ...app });
    const parties = { memberId: `member-${i % 100}`, clientId: id };
    const grant = {
      accountId: parties.memberId,
      clientId: id,
      scope: 'openid',
      declined: '',
      iat: now,
      exp: now + 1000,
    };
    const record = JSON.stringify({ v: 2, ...grant, resource: schools.harbour });
    await store.save('harbour', {
      kind: 'Grant',
      id: grantIdOf(parties.memberId, id),
      record,
      ttl: 1000,
      ...parties,
    });
    if (i % 10 === 0) await save('AppRule', digest(`client ${id}`), { client_id: id, access: 'blocked', at: now });
  }
});
afterAll(() => schools.close());
beforeEach(() => {
  setTime = stopTime();
  seconds += 30;
  setTime(seconds);
});
afterEach(resetClock);

const connections = '/developers/apps';
const applications = '/developers/oauth-applications';
/** Apps are looked at in parts of so many. */
const part = 100;
/** Those of no known app and those with a rule of their own, what the school has added itself, and the known apps. */
const apps = entries / 2 + entries / 10 + entries + knownApps.length - 1;
// One of the lists is that of requests, whose number stands in the navigation.
const ofApps = { list: 5, countGrants: Math.ceil(apps / part) };
const ofApplications = { list: 5, countGrants: 1 };

interface Opened {
  readonly status: number;
  readonly text: string;
  readonly reads: Readonly<Record<string, number | undefined>>;
}

async function send(address: string, init?: RequestInit): Promise<Opened> {
  calls.length = 0;
  const response = await schools.browser('olivia').fetch(schools.harbour + address, init);
  const text = await response.text();
  const counts = Object.entries(Object.groupBy(calls, (name) => name));
  return { status: response.status, text, reads: Object.fromEntries(counts.map(([name, all]) => [name, all?.length])) };
}

async function open(address: string): Promise<Opened> {
  const opened = await send(address);
  expect(opened.status).toBe(200);
  return opened;
}

test.each([
  [`${connections}?show=all&page=20`, ofApps],
  [`${connections}?q=TIMER&page=200`, ofApps],
  [`${connections}?role=owner&kind=registered&status=allowed`, ofApps],
  [`${connections}?used=unused&sort=name&page=9`, ofApps],
  [`${applications}?page=20`, ofApplications],
  [`${applications}?q=timer&secret=public&status=allowed&used=unused&sort=people`, ofApplications],
])(
  '%s of 5,000 has 20 or 25, weighs less than 100 kB, and reads the same whatever the number',
  async (address, expected) => {
    const { text, reads } = await open(address);
    const page = readPage(text);
    const rows = page.queryByRole('table')?.getAllByRole('row').slice(1) ?? [];
    expect(rows).toHaveLength(address.startsWith(connections) ? 20 : 25);
    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
    expect(reads).toEqual(expected);
    // The next pages of some seconds do not read the list of the clients.
    setTime(seconds + 9);
    expect((await open(address)).reads).toEqual({ ...expected, list: expected.list - 1 });
    setTime(seconds + 11);
    expect((await open(address)).reads).toEqual(expected);
  },
);

test('a page that looks at all apps does so in parts, and other requests go on between its parts', async () => {
  let turns = 0;
  let isOpen = true;
  const count = (): void => {
    turns += 1;
    if (isOpen) setImmediate(count);
  };
  count();
  await open(`${connections}?q=timer`);
  isOpen = false;
  expect(turns).toBeGreaterThan(apps / part);
});

test('the page of one client reads no list of the clients, rules or reviews', async () => {
  const { text, reads } = await open(`${connections}?client=registered-10`);
  expect(readPage(text).getByText('Blocked').attribute('class')).toBe('status blocked');
  // The lists are those of requests, and of the people for whom the school has decided one by one. It shows 20 people, and reads twice who is connected, to count roles.
  expect(reads).toEqual({ find: 63, list: 2, countGrants: 2, grantIds: 1, grantsOf: 3 });
});

test('Allow an app reads no list of the clients, rules or reviews, whatever is entered', async () => {
  const allow = `${connections}?view=allow`;
  // The list is that of requests.
  const expected = { list: 1 };
  const { text, reads } = await open(allow);
  expect(reads).toEqual(expected);
  expect(Buffer.byteLength(text)).toBeLessThan(30_000);
  const lookUp = (name: string): Promise<Opened> => {
    const body = new URLSearchParams({ csrf: readPage(text).field('csrf'), action: 'look-up', name });
    return send(allow, { method: 'POST', body });
  };
  expect(await lookUp('Claude Code')).toMatchObject({ status: 303, reads: expected });
  // The name that 5,000 have is that of no known app.
  expect(await lookUp('Study Timer 17')).toMatchObject({ status: 400, reads: expected });
});

test('the page of a known app with half of the clients weighs less than 100 kB, and reads the same whatever the number', async () => {
  const { text, reads } = await open(`${connections}?app=claude-code`);
  expect(readPage(text).getByRole('heading', { level: 1 }).text).toBe('Claude Code');
  expect(Buffer.byteLength(text)).toBeLessThan(100_000);
  expect(reads).toEqual({ list: 5, countGrants: 2, find: expect.any(Number), grantsOf: 5, grantIds: 3 });
});

test.each([
  [`${connections}?q=study`, entries / 2 + entries / 10 + entries + 1, { ...ofApps, list: 4 }],
  [`${connections}?used=unused&kind=registered&status=allowed`, unused / 2, { ...ofApps, list: 4 }],
  [applications, entries, { list: 4, countGrants: 1 }],
])('the file of %s has every row, and reads the same whatever the number', async (address, rows, expected) => {
  const { text, reads } = await open(`${address}${address.includes('?') ? '&' : '?'}format=csv`);
  expect(text.split('\r\n')).toHaveLength(1 + rows + 1);
  expect(reads).toEqual(expected);
});

test('the question whether to disconnect unused apps counts all of them at once', async () => {
  const { text, reads } = await open(`${connections}?confirm=unused`);
  expect(text).toContain('400 apps were last used more than 90 days ago. 400 people are disconnected');
  expect(reads).toEqual({ list: 5, countGrants: 1 });
});
