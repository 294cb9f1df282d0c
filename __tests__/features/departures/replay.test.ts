import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { createCampus } from '../../../lib/campus.ts';
import type { AuditEvent, Campus } from '../../../lib/index.ts';
import { epochSeconds } from '../../../lib/kernel/clock.ts';
import type { Store } from '../../../lib/store.ts';
import { fakePlatform } from '../../../lib/testing/index.ts';
import { passTime, resetClock } from '../../helpers/clock.ts';
import { signingKey } from '../../helpers/keys.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { useClient } from '../../helpers/used-clients.ts';

const site = harbourSite();
const client = { clientId: 'cursor-1' };

interface Running {
  readonly campus: Campus;
  readonly events: AuditEvent[];
}

async function campusOn(store: Store): Promise<Running> {
  const campus = createCampus({
    platform: fakePlatform({ schools: [site], people: {} }),
    store,
    keys: { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] },
  });
  const events: AuditEvent[] = [];
  campus.events.on('audit', (event) => void events.push(event));
  return { campus, events };
}

/** What a backup has: five people with three clients each, a rule, a person who is allowed, and a request. */
async function prepared(): Promise<Running> {
  const store = memoryStore();
  for (const id of ['claude', 'cursor', 'windsurf'])
    await useClient(store, `${id}-1`, { people: 5, name: id, app: { id, verified: true }, at: epochSeconds() });
  const running = await campusOn(store);
  await running.campus.apps.set(site, 'chatgpt', { access: 'view_only' }, { by: 'member-3', note: 'Says member-3.' });
  await running.campus.apps.allowPerson(site, 'chatgpt', 'member-4');
  const asked = { app: 'other', clientName: 'Chat', redirectUris: ['https://chat.example/callback'] } as const;
  await running.campus.requests.ask(site, 'member-3', asked);
  running.events.length = 0;
  return running;
}

/** What is so at the school, as everybody sees it. */
async function stateOf({ apps, connections, members, people }: Campus) {
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

/** What happens after the backup: ended connections, a block, decisions, an incident, and somebody who is erased. */
async function aDay({ campus }: Running): Promise<void> {
  const [first] = await campus.connections.list(site, 'member-0');
  await campus.connections.revoke(site, 'member-0', first?.id ?? '');
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
  const before = await stateOf(live.campus);
  await aDay(live);
  const after = await stateOf(live.campus);
  expect(after).not.toEqual(before);
  expect(await stateOf(backup.campus)).toEqual(before);

  const log = logged(live.events);
  const dryRun = await backup.campus.replay(log, { since, dryRun: true });
  expect(dryRun).toMatchObject({ people: 1 });
  expect(await stateOf(backup.campus)).toEqual(before);

  const replayed = await backup.campus.replay(log, { since });
  expect(replayed).toMatchObject({ people: 1, devices: 0 });
  expect(await stateOf(backup.campus)).toEqual(after);
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
  const now = await stateOf(backup.campus);
  const again = await backup.campus.replay(log, { since });
  expect(again).toMatchObject({ connections: 0, people: 0 });
  expect((await stateOf(backup.campus)).rules[0]).toEqual(now.rules[0]);
  expect((await stateOf(backup.campus)).connected).toEqual(now.connected);
});

test('a log that begins after the backup is refused, before anything has changed', async () => {
  await aDay(live);
  const before = await stateOf(backup.campus);
  await expect(backup.campus.replay(live.events, { since })).rejects.toThrow(
    /^the events begin at .*, after the backup/,
  );
  await expect(backup.campus.replay([], { since })).rejects.toThrow('there are no events');
  expect(await stateOf(backup.campus)).toEqual(before);
});
