import { afterEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AuditEvent, CampusOptions, Site } from '../../lib/index.ts';
import { resetClock, stopTime } from '../helpers/clock.ts';
import { authorizeUrl, connect, memberApp, pkce, webMemberApp } from '../helpers/flow.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { readPage } from '../helpers/page.ts';
import { harbourSite } from '../helpers/sites.ts';

const connections = '/developers/apps';
const pages = [connections, `${connections}?view=allow`, `${connections}/activity`, '/developers/oauth-applications'];

let running: Schools[] = [];
afterEach(async () => {
  resetClock();
  await Promise.all(running.map((each) => each.close()));
  running = [];
});

async function start(limits?: CampusOptions['limits'], store = memoryStore()): Promise<Schools> {
  const schools = await startSchools({ ...plugins, campus: { store, ...(limits !== undefined && { limits }) } });
  running.push(schools);
  return schools;
}

async function open(schools: Schools, path: string, person = 'olivia', at = schools.harbour): Promise<Response> {
  return schools.browser(person).fetch(at + path, { headers: { accept: 'text/html' } });
}

test('limits.pages: one count for an administrator, whichever the page; 429 with Retry-After and an event; an hour later 200', async () => {
  const setTime = stopTime();
  const schools = await start({ pages: { perMember: pages.length } });
  const events: AuditEvent[] = [];
  schools.campus.events.on('audit', (event) => events.push(event));
  for (const path of pages) expect((await open(schools, path)).status).toBe(200);
  for (const path of pages) {
    const refused = await open(schools, path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
    expect(readPage(await refused.text()).getByText('Wait 60 minutes, and try again.')).toBeDefined();
  }
  const actor = { kind: 'administrator', id: 'olivia' };
  const event = { action: 'quota.exceeded', reason: 'pages', siteId: 'harbour', memberId: 'olivia', actor };
  expect(events).toEqual(pages.map(() => expect.objectContaining(event)));
  setTime(3601);
  expect((await open(schools, connections)).status).toBe(200);
});

test('limits.pages: so are the pages of a member, the consent page and that of assistants', async () => {
  const schools = await start({ pages: { perMember: 4 } });
  const events: AuditEvent[] = [];
  schools.campus.events.on('audit', (event) => events.push(event));
  const sam = schools.browser('sam');
  const consent = await sam.follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
  const paths = ['/account/apps', '/account/apps/none', '/mcp/member', '/account/apps'];
  const statuses = [];
  for (const path of [...paths, consent.url.pathname]) {
    const response = await sam.fetch(schools.harbour + path, { headers: { accept: 'text/html' } });
    statuses.push([response.status, response.headers.get('retry-after')]);
  }
  expect(statuses).toEqual([
    [200, null],
    [404, null],
    [200, null],
    [429, '3600'],
    [429, '3600'],
  ]);
  const actor = { kind: 'member', id: 'sam' };
  expect(events.filter(({ action }) => action === 'quota.exceeded')).toMatchObject([
    { reason: 'pages', memberId: 'sam', actor },
    { reason: 'pages', memberId: 'sam', actor },
  ]);
  // A page that is not theirs is counted for nobody.
  expect((await open(schools, connections, 'theo')).status).toBe(403);
});

const searches = ['?show=all', '?q=claude', '?kind=static', '?confirm=unused', '?used=unused&page=2', '?app=claude'];
test.each(searches)(
  'limits.pages: %s looks at all clients, and counts as 10 pages; the apps in use count as one',
  async (query) => {
    const schools = await start({ pages: { perMember: 21 } });
    const statuses = [];
    for (const path of [connections, connections + query, connections + query, connections]) {
      statuses.push((await open(schools, path)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  },
);

test('limits.pages: a file counts as 20 pages, other operators and schools have their own, false lifts it', async () => {
  const schools = await start({ pages: { perMember: 40 } });
  const { harbour, summit } = schools.people;
  const olivia = harbour?.['olivia'];
  if (!harbour || !summit || !olivia) throw new Error('no operator');
  [harbour['otto'], summit['olivia']] = [{ ...olivia, id: 'otto' }, olivia];
  const file = `${connections}?format=csv`;
  const statuses = [];
  for (const path of [file, file, file, connections]) statuses.push((await open(schools, path)).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  expect((await open(schools, file, 'otto')).status).toBe(200);
  expect((await open(schools, file, 'olivia', schools.summit)).status).toBe(200);
  const free = await start(false);
  for (let i = 0; i < 70; i += 1) expect((await open(free, file)).status).toBe(200);
});

test('a client that is connected is listed at once, in other processes after 10 seconds', async () => {
  const store = memoryStore();
  const [here, there] = [await start({}, store), await start({}, store)];
  const setTime = stopTime();
  const listed = async ({ campus, harbour }: Schools): Promise<readonly string[]> => {
    const site: Site = harbourSite(harbour);
    return (await campus.apps.list(site, { used: true })).map(({ clientId = '' }) => clientId);
  };
  const both = async () => [await listed(here), await listed(there)];
  expect(await both()).toEqual([[], []]);
  await connect(here.browser('olivia'), here.harbour, memberApp);
  expect(await both()).toEqual([[memberApp.id], []]);
  setTime(10);
  expect(await both()).toEqual([[memberApp.id], [memberApp.id]]);
  // What is about to be disconnected is read again.
  await connect(here.browser('sam'), here.harbour, webMemberApp);
  const file = await open(there, `${connections}?used=unused&format=csv`);
  expect(file.status).toBe(200);
  expect((await listed(there)).toSorted()).toEqual([memberApp.id, webMemberApp.id].toSorted());
});
