import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { createCampus } from '../../../lib/campus.ts';
import type { AuditEvent, Boundary, Campus } from '../../../lib/index.ts';
import { epochSeconds } from '../../../lib/kernel/clock.ts';
import { digest } from '../../../lib/kernel/crypto.ts';
import { grantIdOf } from '../../../lib/records/codec.ts';
import type { Store } from '../../../lib/store.ts';
import { fakePlatform } from '../../../lib/testing/index.ts';
import { passTime, resetClock } from '../../helpers/clock.ts';
import { signingKey } from '../../helpers/keys.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { useClient } from '../../helpers/used-clients.ts';

const site = harbourSite();
const client = { clientId: 'cursor-1' };
const boundary: Boundary = {
  type: 'class',
  name: 'Classes',
  scopes: ['courses:read'],
  list: (_site, _member, { ids = ['7a', '7b'] }) => ({ items: ids.map((id) => ({ id, name: id })), total: ids.length }),
};
const roles = { roles: ['teacher'] };

interface Running {
  readonly store: Store;
  readonly campus: Campus;
  readonly events: AuditEvent[];
  /** The client_ids of OAuth applications that the backup has: one to remove, one to narrow, one whose secret leaks. */
  readonly applications: readonly string[];
}

async function campusOn(store: Store): Promise<Omit<Running, 'applications'>> {
  const campus = createCampus({
    platform: fakePlatform({
      schools: [site],
      people: { harbour: { 'member-0': roles, 'member-1': roles, 'member-2': roles } },
    }),
    boundaries: [boundary],
    store,
    keys: { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] },
  });
  const events: AuditEvent[] = [];
  campus.events.on('audit', (event) => void events.push(event));
  return { store, campus, events };
}

/** What a backup has: five people with three clients each, one that sees courses, applications, a rule, a person who is allowed, and requests. */
async function prepared(): Promise<Running> {
  const store = memoryStore();
  for (const id of ['claude', 'cursor', 'windsurf'])
    await useClient(store, `${id}-1`, { people: 5, name: id, app: { id, verified: true }, at: epochSeconds() });
  const scope = 'openid courses:read orders:read';
  await useClient(store, 'reports-1', { people: 3, at: epochSeconds(), scope, resource: site.origin });
  const running = await campusOn(store);
  const applications: string[] = [];
  for (const clientId of ['app-removed', 'app-narrowed', 'app-leaked']) {
    await store.save('harbour', { kind: 'Client', id: clientId, record: applicationRecord(clientId), listed: true });
    applications.push(clientId);
  }
  await running.campus.apps.set(site, 'chatgpt', { access: 'view_only' }, { by: 'member-3', note: 'Says member-3.' });
  await running.campus.apps.allowPerson(site, 'chatgpt', 'member-4');
  const asked = { app: 'other', clientName: 'Chat', redirectUris: ['https://chat.example/callback'] } as const;
  for (const id of ['member-2', 'member-3', 'member-4']) await running.campus.requests.ask(site, id, asked);
  running.events.length = 0;
  return { ...running, applications };
}

function applicationRecord(clientId: string): string {
  return JSON.stringify({
    v: 1,
    client_id: clientId,
    client_name: clientId,
    client_secret: digest('old secret'),
    client_id_issued_at: epochSeconds(),
    redirect_uris: ['https://app.example/callback'],
    scope: 'openid profile',
    campus_audience: 'member',
    campus_source: 'application',
  });
}

/** What is so at the school, as everybody sees it. */
async function stateOf({ store, campus }: Running) {
  const { apps, applications, connections, members, people, requests } = campus;
  const ids = ['claude', 'cursor', 'windsurf', 'chatgpt', client];
  const found = await Promise.all(ids.map((id) => apps.find(site, id)));
  const page = await people.find(site);
  const erased = await members.export(site, 'member-3');
  return {
    rules: found.map(({ own, decided, status }) => ({ own, by: decided?.by, status })),
    allowed: (await apps.allowedPeople(site, 'chatgpt')).map(({ memberId }) => memberId),
    connected: page.people
      .map(
        ({ memberId, connections: all }) =>
          `${memberId} ${all
            .map(({ clientId }) => clientId)
            .toSorted()
            .join(' ')}`,
      )
      .toSorted(),
    reports: (await Promise.all([0, 1, 2].map((i) => connections.list(site, `member-${i}`)))).map((all) =>
      all.flatMap(({ clientId, scopes, only }) => (clientId === 'reports-1' ? { scopes, only } : [])),
    ),
    applications: (await applications.list(site)).map(({ clientId, scopes }) => ({ clientId, scopes })),
    secretIsOld: (await store.find('harbour', 'Client', 'app-leaked'))?.record.includes(digest('old secret')),
    requests: (await requests.list(site)).map(({ memberId, status }) => `${memberId} ${status}`).toSorted(),
    erased: [erased.connections.length, erased.requests.length, (await connections.list(site, 'member-3')).length],
  };
}

let live: Running;
let backup: Running;
let since: Date;
beforeEach(async () => {
  [live, backup] = [await prepared(), await prepared()];
  passTime(60);
  since = new Date(Date.now());
  passTime(120);
});
afterEach(resetClock);

/** What happens after the backup: ended and narrowed connections, a block, decisions, an incident, and somebody who is erased. */
async function aDay({ campus }: Running): Promise<void> {
  await campus.connections.revoke(site, 'member-0', grantIdOf('member-0', 'cursor-1'));
  const reports = (memberId: string): [string, string] => [memberId, grantIdOf(memberId, 'reports-1')];
  await campus.connections.narrow(site, ...reports('member-0'), ['orders:read']);
  await campus.connections.limit(site, ...reports('member-0'), { class: ['7a'] });
  await campus.connections.limit(site, ...reports('member-0'), { class: ['7b'] });
  await campus.connections.narrow(site, ...reports('member-2'), ['courses:read']);
  await campus.applications.remove(site, 'app-removed');
  await campus.applications.update(site, 'app-narrowed', { scopes: ['openid'] });
  await campus.applications.rotateSecret(site, 'app-leaked');
  for (const each of await campus.requests.list(site, { memberId: 'member-2' }))
    await campus.requests.withdraw(site, 'member-2', each.id);
  await campus.connections.revokeAll(site, 'member-1');
  await campus.apps.set(site, client, { access: 'blocked' }, { by: 'olivia' });
  await campus.apps.set(site, 'claude', { access: 'view_only', roles: ['teacher'] }, { by: 'olivia' });
  await campus.apps.resetPerson(site, 'chatgpt', 'member-4');
  await campus.apps.allowPerson(site, 'chatgpt', 'member-2');
  await campus.apps.reset(site, 'chatgpt');
  await campus.incidents.block([site], { id: 'INC-1', app: 'windsurf' });
  await campus.members.erase(site, 'member-3').then((step) => finish(campus, step));
}

async function finish(campus: Campus, first: Awaited<ReturnType<Campus['members']['erase']>>): Promise<void> {
  for (let step = first; step.next !== undefined;) step = await campus.members.erase(site, 'member-3', step);
}

/** As from a file, which no check of arguments looks into. */
async function* readFrom(events: readonly AuditEvent[]): AsyncGenerator<AuditEvent, void> {
  yield* events;
}

/** The log from before the backup on. */
function logged(events: readonly AuditEvent[]): AuditEvent[] {
  const [first] = events;
  if (!first) throw new Error('nothing happened');
  const before: AuditEvent = {
    ...first,
    action: 'session.ended',
    time: new Date(since.getTime() - 1000).toISOString(),
  };
  return [before, ...events].map((event) => JSON.parse(JSON.stringify(event)));
}

test('after a restore and a replay, nothing that was erased, blocked or ended is back', async () => {
  const before = await stateOf(live);
  await aDay(live);
  const after = await stateOf(live);
  expect(after).not.toEqual(before);
  expect(await stateOf(backup)).toEqual(before);

  const log = logged(live.events);
  const dryRun = await backup.campus.replay(log, { since, dryRun: true });
  expect(dryRun).toMatchObject({ narrowed: 2, applications: 2, secrets: 1, requests: 1, people: 1 });
  expect(await stateOf(backup)).toEqual(before);

  const replayed = await backup.campus.replay(log, { since });
  expect(replayed).toMatchObject({ narrowed: 2, applications: 2, secrets: 1, requests: 1, people: 1, devices: 0 });
  expect(replayed.byHand).toEqual({ 'application.changed': 1, 'application.secret_rotated': 1 });
  expect(await stateOf(backup)).toEqual(after);
  // The rule that the incident has put aside is there too.
  await backup.campus.incidents.restore([site], { id: 'INC-1' });
  expect((await backup.campus.apps.find(site, 'windsurf')).own).toBeUndefined();
});

test('a replay can be repeated, and leaves what has been decided since', async () => {
  await aDay(live);
  const log = logged(live.events);
  await backup.campus.replay(log, { since });
  passTime(180);
  await backup.campus.apps.set(site, 'claude', { access: 'allowed' });
  const now = await stateOf(backup);
  const again = await backup.campus.replay(log, { since });
  expect(again).toMatchObject({ connections: 0, narrowed: 0, applications: 0, requests: 0, people: 0 });
  expect((await stateOf(backup)).rules[0]).toEqual(now.rules[0]);
  expect((await stateOf(backup)).connected).toEqual(now.connected);
});

test('a log that begins after the backup is refused, before anything has changed', async () => {
  await aDay(live);
  const before = await stateOf(backup);
  await expect(backup.campus.replay(live.events, { since })).rejects.toThrow(
    /^the events begin at .*, after the backup/,
  );
  await expect(backup.campus.replay([], { since })).rejects.toThrow('there are no events');
  expect(await stateOf(backup)).toEqual(before);
});

const forged: Readonly<Record<string, [object, string]>> = {
  'the space that all schools share': [{ siteId: '' }, 'siteId'],
  'a rule that no release can read': [{ rule: { access: 'everything' } }, 'rule.access'],
  'a list that is a text': [{ rule: { access: 'allowed', roles: 'teacher' } }, 'rule.roles'],
  'an incident that no call can name': [{ incident: 'INC 1' }, 'incident'],
  'half of a surrogate pair': [{ actor: { kind: 'administrator', id: '\uD800' } }, 'actor.id'],
  'an id as long as a book': [{ app: 'a'.repeat(5000) }, 'app'],
};

test.each(Object.entries(forged))(
  'an edited log with %s is refused, and nothing is stored of it',
  async (_what, [edit, path]) => {
    await aDay(live);
    const log = logged(live.events);
    const decided = log.find(({ action }) => action === 'app.decided');
    if (!decided) throw new Error('nothing was decided');
    const edited = [log[0] ?? decided, { ...decided, ...edit }];
    const before = await stateOf(backup);
    for (const dryRun of [true, false])
      await expect(backup.campus.replay(readFrom(edited), { since, dryRun })).rejects.toThrow(
        `event 2 of the log has a wrong ${path}`,
      );
    expect(await stateOf(backup)).toEqual(before);
  },
);

test('an event of the future, which would count for more than later decisions, is refused', async () => {
  await aDay(live);
  const [first, ...more] = logged(live.events);
  const late = more.map((event) => ({ ...event, time: new Date(Date.now() + 600_000).toISOString() }));
  await expect(backup.campus.replay(first ? [first, ...late] : late, { since })).rejects.toThrow(
    'in the future; check the log',
  );
});

test('the log of a campus whose schools have other ids changes nothing here', async () => {
  await aDay(live);
  const before = await stateOf(backup);
  const others = logged(live.events).map((event) => ({ ...event, siteId: 'summit' }));
  const replayed = await backup.campus.replay(others, { since });
  expect(replayed).toMatchObject({ connections: 0, narrowed: 0, applications: 0, secrets: 0, requests: 0, people: 0 });
  expect(await stateOf(backup)).toEqual(before);
});
