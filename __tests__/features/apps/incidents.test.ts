import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { createCampus } from '../../../lib/campus.ts';
import type { AppRule } from '../../../lib/core/access/rule.ts';
import { type AuditEvent, type Campus, type IncidentSchool, InvalidRequest, type Site } from '../../../lib/index.ts';
import type { Store } from '../../../lib/store.ts';
import { fakePlatform } from '../../../lib/testing/index.ts';
import { passTime, resetClock } from '../../helpers/clock.ts';
import { signingKey } from '../../helpers/keys.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { useClient } from '../../helpers/used-clients.ts';

const app = { id: 'claude', verified: true };
const sites = ['harbour', 'summit', 'valley'].map((id) => harbourSite(`https://${id}.example`, { id }));
const origins = sites.map(({ origin }) => origin);
const [harbour = '', summit = '', valley = ''] = origins;
const incident = { id: 'INC-1', app: 'claude', by: 'on-call', note: 'It leaks.' };

let store: Store;
let campus: Campus;
let events: AuditEvent[];
beforeEach(async () => {
  store = memoryStore();
  const at = Math.floor(Date.now() / 1000);
  await useClient(store, 'claude-1', { people: 3, name: 'Claude', app, at });
  await useClient(store, 'claude-2', { people: 2, name: 'Claude', app, at });
  campus = await campusOn(store);
});
afterEach(resetClock);

async function campusOn(given: Store): Promise<Campus> {
  const made = createCampus({
    platform: fakePlatform({ schools: sites, people: {} }),
    store: given,
    keys: { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] },
  });
  events = [];
  made.events.on('audit', (event) => void events.push(event));
  return made;
}

const ownRules = async (clientId = 'claude-2'): Promise<(AppRule | undefined)[]> =>
  Promise.all(
    [harbour, summit, valley].flatMap((origin) =>
      ['claude', { clientId }].map((each) => campus.apps.find(origin, each)),
    ),
  ).then((all) => all.map(({ own }) => own));

async function* fromDatabase(): AsyncGenerator<string, void> {
  yield* origins;
}

test('an app is blocked at all schools and given back, each with what it had decided', async () => {
  const limited = { access: 'view_only', roles: ['teacher'] } as const;
  await campus.apps.set(summit, 'claude', limited, { by: 'olivia', note: 'Only for teachers.' });
  await campus.apps.set(harbour, { clientId: 'claude-2' }, { access: 'allowed' });
  const before = await Promise.all(origins.map((origin) => campus.apps.find(origin, 'claude')));
  const rules = await ownRules();
  events.length = 0;

  const dryRun = await campus.incidents.block(fromDatabase(), { ...incident, dryRun: true });
  expect(dryRun).toEqual({ schools: 3, outcomes: { blocked: 3 }, ended: 5, failures: [] });
  expect(await ownRules()).toEqual(rules);

  const done: IncidentSchool[] = [];
  const report = await campus.incidents.block(fromDatabase(), { ...incident, onSchool: (each) => done.push(each) });
  expect(report).toEqual({ schools: 3, outcomes: { blocked: 3 }, ended: 5, failures: [] });
  const ended = Object.fromEntries(done.map(({ school, ended: count }) => [school, count]));
  expect(ended).toEqual({ [harbour]: 5, [summit]: 0, [valley]: 0 });
  const decided = events.filter(({ action }) => action === 'app.decided');
  const told = { reason: 'incident', incident: 'INC-1', outcome: 'refused', rule: { access: 'blocked' } };
  for (const each of decided) expect(each).toMatchObject({ ...told, actor: { id: 'on-call' } });
  const at = decided.map(({ siteId, clientId = '' }) => `${siteId} ${clientId}`.trim());
  expect(at.toSorted()).toEqual(['harbour', 'harbour claude-2', 'summit', 'valley']);
  for (const origin of origins) {
    const { status, decided: by, people } = await campus.apps.find(origin, 'claude');
    expect([status, by?.by, by?.note, people]).toEqual(['blocked', 'on-call', 'It leaks.', 0]);
  }
  expect((await campus.explain(harbour, { clientId: 'claude-2' })).outcome).not.toBe('allowed');

  expect(await campus.incidents.restore(origins, { id: 'INC-1', dryRun: true })).toMatchObject({
    outcomes: { restored: 3 },
  });
  expect(await campus.incidents.restore(origins, { id: 'INC-1' })).toEqual({
    schools: 3,
    outcomes: { restored: 3 },
    ended: 0,
    failures: [],
    apps: ['claude', 'claude-2'],
  });
  expect(await ownRules()).toEqual(rules);
  const after = await Promise.all(origins.map((origin) => campus.apps.find(origin, 'claude')));
  const whatSchoolsSee = (all: typeof after) => all.map(({ own, decided: by, version }) => ({ own, by, version }));
  expect(whatSchoolsSee(after)).toEqual(whatSchoolsSee(before));
  expect(await campus.incidents.restore(origins, { id: 'INC-1' })).toMatchObject({ outcomes: { kept: 3 } });
});

test('a second start blocks nothing twice, and goes on where the first one ended', async () => {
  await campus.incidents.block([harbour], incident);
  events.length = 0;
  const both = await Promise.all([
    campus.incidents.block(origins, incident),
    campus.incidents.block(origins, incident),
  ]);
  for (const { schools, failures } of both) expect([schools, failures]).toEqual([3, []]);
  expect(events.filter(({ siteId }) => siteId === 'harbour')).toEqual([]);
  expect(await campus.incidents.block(origins, incident)).toMatchObject({ outcomes: { already: 3 }, ended: 0 });
  await campus.incidents.restore(origins, { id: 'INC-1' });
  expect(await ownRules()).toEqual(Array(6).fill(undefined));
});

test('what was left of a school when a process ended, a second start ends', async () => {
  let fails = true;
  const failing: Store = {
    ...store,
    revoke: async (...args) => {
      if (fails) throw new Error('the process ended');
      return store.revoke(...args);
    },
  };
  campus = await campusOn(failing);
  campus.events.on('fault', () => undefined);
  const first = await campus.incidents.block(origins, incident);
  expect(first).toMatchObject({
    schools: 3,
    outcomes: { failed: 1, blocked: 2 },
    failures: [{ school: harbour, outcome: 'failed' }],
  });
  fails = false;
  expect(await campus.incidents.block(origins, incident)).toMatchObject({
    outcomes: { blocked: 1, already: 2 },
    ended: 5,
  });
});

test('a school that has decided since keeps that, also while the way back is under way', async () => {
  await campus.apps.set(summit, 'claude', { access: 'view_only' });
  await campus.incidents.block(origins, incident);
  await campus.apps.set(harbour, 'claude', { access: 'view_only' }, { by: 'olivia' });
  let racing: (() => Promise<unknown>) | undefined = () => campus.apps.set(summit, 'claude', { access: 'allowed' });
  const slow: Store = {
    ...store,
    save: async (...args) => {
      const decide = args[0] === 'summit' ? racing : undefined;
      racing = decide ? undefined : racing;
      await decide?.();
      return store.save(...args);
    },
  };
  const report = await (await campusOn(slow)).incidents.restore(origins, { id: 'INC-1' });
  expect(report.outcomes).toEqual({ kept: 2, restored: 1 });
  const own = await Promise.all(origins.map(async (origin) => (await campus.apps.find(origin, 'claude')).own?.access));
  expect(own).toEqual(['view_only', 'allowed', undefined]);
});

test('an app that two incidents block stays blocked until both are over', async () => {
  await campus.apps.set(harbour, 'claude', { access: 'view_only' });
  await campus.incidents.block([harbour], incident);
  await campus.incidents.block([harbour], { ...incident, id: 'INC-2' });
  const access = async () => (await campus.apps.find(harbour, 'claude')).own?.access;
  await campus.incidents.restore([harbour], { id: 'INC-1' });
  expect(await access()).toBe('blocked');
  await campus.incidents.restore([harbour], { id: 'INC-2' });
  expect(await access()).toBe('view_only');
});

test('after 90 days a school stays blocked', async () => {
  await campus.incidents.block([harbour], incident);
  passTime(90 * 24 * 60 * 60 + 1);
  expect(await campus.incidents.restore([harbour], { id: 'INC-1' })).toMatchObject({ outcomes: { expired: 1 } });
  expect((await campus.apps.find(harbour, 'claude')).status).toBe('blocked');
});

test('one who is erased is in no rule that an incident has put aside', async () => {
  await campus.apps.set(harbour, 'claude', { access: 'view_only' }, { by: 'olivia', note: 'As olivia says.' });
  await campus.incidents.block([harbour], incident);
  await campus.members.erase(harbour, 'olivia');
  await campus.incidents.restore([harbour], { id: 'INC-1' });
  const { own, decided } = await campus.apps.find(harbour, 'claude');
  expect([own, decided]).toEqual([{ access: 'view_only' }, { at: expect.any(Number) }]);
});

test('schools that do not exist are counted', async () => {
  const report = await campus.incidents.block([harbour, 'https://nowhere.example'], incident);
  expect(report).toMatchObject({ schools: 2, outcomes: { blocked: 1, failed: 1 } });
  expect(report.failures).toMatchObject([
    {
      school: 'https://nowhere.example',
      error: { message: expect.stringContaining('must be a school or its origin') },
    },
  ]);
});

test.each([
  ['app', 'clawde', 'no app has the id "clawde" here; did you mean "claude"?'],
  ['client', { clientId: 'claude-9' }, 'no client has the client_id "claude-9" here'],
])('an unknown %s is an error, not a block of nothing', async (_name, named, message) => {
  const blockAll = campus.incidents.block(origins, { ...incident, app: named });
  await expect(blockAll).rejects.toThrow(new InvalidRequest(message));
  expect(events).toEqual([]);
});

test('an app or a client of some schools is blocked there, and counted as unknown elsewhere', async () => {
  await useClient(store, 'quizlet-1', { people: 1, name: 'Quizlet', app: { id: 'our-quiz', verified: false }, at: 1 });
  for (const named of ['our-quiz', { clientId: 'claude-1' }]) {
    const report = await campus.incidents.block(origins, { ...incident, app: named });
    expect(report).toMatchObject({ outcomes: { blocked: 1, unknown: 2 }, failures: [] });
  }
});

test('a metadata document is blocked before a school has met it', async () => {
  const report = await campus.incidents.block(origins, {
    ...incident,
    app: { clientId: 'https://quiz.example/oauth' },
  });
  expect(report.outcomes).toEqual({ blocked: 3 });
});

test('an error of the caller ends it, and no further school is read', async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<Site, void> {
    for (;;) {
      read += 1;
      yield sites[read % 3] ?? harbourSite();
    }
  }
  const onSchool = (): never => {
    throw new Error('stop');
  };
  await expect(campus.incidents.block(endless(), { ...incident, onSchool })).rejects.toThrow('stop');
  expect(read).toBeLessThan(20);
});

test('one origin is no list of schools', async () => {
  const { incidents } = campus;
  await expect(Reflect.apply(Reflect.get(incidents, 'block'), incidents, [harbour, incident])).rejects.toThrow(
    'incidents.block.schools must be schools or their origins, as an array or another iterable, not a string',
  );
});
