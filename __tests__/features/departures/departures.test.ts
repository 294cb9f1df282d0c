import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { redisStore } from '../../../adapters/redis/index.ts';
import type { AuditEvent, Campus, Site } from '../../../lib/index.ts';
import { memberDigest } from '../../../lib/observe/member-digest.ts';
import { storedLog } from '../../../lib/log.ts';
import type { Store } from '../../../lib/store.ts';
import { loopbackClients } from '../../../policies/index.ts';
import { authorizeUrl, connect, memberApp, pkce, refresh, userinfo, webMemberApp } from '../../helpers/flow.ts';
import { type RedisNode, startRedis } from '../../helpers/redis.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { harbourSite, siteOf } from '../../helpers/sites.ts';
import { documentedRules } from '../../stores/redis/documented-rules.ts';
import { dump } from '../../stores/redis/dump.ts';
import { type Database, postgresDatabases, sqliteDatabase } from '../../stores/sql/databases.ts';

/** A store with a way to look past it. */
interface Looked {
  readonly store: Store;
  /** Everything that is stored, as text: a line for each key or row. */
  readonly look: () => Promise<string[]>;
}

let redis: RedisNode;
let client: Redis;
let postgres: Awaited<ReturnType<typeof postgresDatabases>>;
beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), postgresDatabases()]);
  // A user who may do no more than the documentation says.
  const commands = documentedRules.filter((rule) => rule.startsWith('+'));
  const admin = new Redis(redis.url);
  await admin.call('ACL', 'SETUSER', 'campus', 'on', '>password', '~host:*', '-@all', ...commands);
  admin.disconnect();
  client = new Redis(redis.url, { username: 'campus', password: 'password', keyPrefix: 'host:' });
});
afterAll(async () => {
  client.disconnect();
  await Promise.all([redis.stop(), postgres.server.stop()]);
});

async function onRedis(): Promise<Looked> {
  const admin = new Redis(redis.url);
  await admin.flushall();
  opened.push(async () => admin.disconnect());
  return {
    // A prefix with a character that patterns know.
    store: redisStore(client, { prefix: 'a*b', deadline: 30_000 }),
    look: async () => (await dump(admin)).map(({ key, text }) => `${key} ${text}`),
  };
}

async function onSql(database: Database): Promise<Looked> {
  const store = database.open();
  await store.migrate();
  opened.push(() => database.close());
  const tables = ['grant', 'family', 'token', 'replay', 'record', 'quota', 'log'];
  const rows = async (table: string) =>
    (await database.run(`select * from campus_${table}`)).map((row) => `${table} ${JSON.stringify(row)}`);
  return { store, look: async () => (await Promise.all(tables.map(rows))).flat() };
}

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** All steps of a removal. */
async function complete<T extends { readonly next?: string | undefined }>(
  step: (after?: T) => Promise<T>,
): Promise<{ readonly last: T; readonly steps: number }> {
  let [last, steps] = [await step(), 1];
  for (; last.next !== undefined; steps += 1) last = await step(JSON.parse(JSON.stringify(last)));
  return { last, steps };
}

interface Used {
  readonly schools: Schools;
  readonly campus: Campus;
  readonly events: AuditEvent[];
  readonly site: (id: 'harbour' | 'summit') => Site;
  readonly tokens: Readonly<Record<string, { readonly access: string; readonly refresh: string }>>;
}

/** Two schools with everything that a store can have of one: also what has ended and is still stored. */
async function use(store: Store): Promise<Used> {
  const schools = await startSchools({ campus: { store, log: storedLog(), registration: [loopbackClients()] } });
  opened.push(() => schools.close());
  const { campus, harbour, summit } = schools;
  const events: AuditEvent[] = [];
  campus.events.on('audit', (event) => events.push(event));
  const site = (id: 'harbour' | 'summit'): Site => siteOf(schools, id);
  const tokens: Record<string, { access: string; refresh: string }> = {};
  const keep = (name: string, { body }: Awaited<ReturnType<typeof connect>>): void => {
    tokens[name] = { access: String(body['access_token']), refresh: String(body['refresh_token']) };
  };
  const sam = schools.browser('sam');
  const first = await connect(sam, harbour, memberApp);
  keep('used', first);
  keep('sam', await refresh(harbour, memberApp, first.body['refresh_token']));
  keep('ended', await connect(sam, harbour, webMemberApp));
  const ended = (await campus.connections.list(site('harbour'), 'sam')).find(
    ({ clientId }) => clientId === webMemberApp.id,
  );
  await campus.connections.revoke(site('harbour'), 'sam', ended?.id ?? '');
  keep('olivia', await connect(schools.browser('olivia'), harbour, memberApp));
  keep('summit', await connect(schools.browser('sam'), summit, webMemberApp));
  await schools.browser('sam').follow(authorizeUrl(harbour, webMemberApp, pkce(), { prompt: 'consent' }));
  for (const at of [harbour, summit]) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ redirect_uris: ['http://127.0.0.1/'] });
    await fetch(`${at}/api/oauth/register`, { method: 'POST', headers, body });
  }
  const asked = { clientName: 'Chat', redirectUris: ['https://chat.example/callback'] };
  for (const id of ['harbour', 'summit'] as const) {
    await campus.requests.ask(site(id), 'sam', { ...asked, app: 'other' });
    const ofOlivia = await campus.requests.ask(site(id), 'olivia', { ...asked, app: 'cursor' });
    await campus.requests.decline(site(id), ofOlivia.id, 'No, says sam.', { by: 'sam' });
    const note = { by: 'sam', note: 'It is enough, says sam.' };
    await campus.apps.set(site(id), 'claude', { access: 'view_only' }, note);
    await campus.apps.allowPerson(site(id), 'claude', 'olivia', note);
    await campus.apps.allowPerson(site(id), 'claude', 'sam', { note: 'As sam has asked.' });
    const application = { ...asked, scopes: ['openid'], confidential: true, createdBy: 'sam' } as const;
    await campus.applications.create(site(id), application);
  }
  // What waits for the log is written.
  await campus.log.list(harbour);
  return { schools, campus, events, site, tokens };
}

/** The lines that show which school they are of: keys and rows have its id, and records its origin. */
const linesOf = (lines: readonly string[], { id, origin }: Site): string[] =>
  lines.filter((line) => [`{${id}}`, `"site":"${id}"`, origin].some((mark) => line.includes(mark)));

describe.each<[string, () => Promise<Looked>]>([
  ['memory', async () => ({ store: memoryStore(), look: async () => [] })],
  ['Redis', onRedis],
  ['PostgreSQL', async () => onSql(await postgres.make())],
  ['SQLite', async () => onSql(sqliteDatabase())],
])('on %s', (name, make) => {
  test('a school that is removed leaves nothing, and another one keeps everything', async () => {
    const { store, look } = await make();
    const { campus, schools, events, site, tokens } = await use(store);
    const { harbour, summit } = { harbour: site('harbour'), summit: site('summit') };
    const before = linesOf(await look(), summit);
    const listed = await campus.sites.listRecords(summit);
    expect(await campus.sites.listRecords(harbour)).toMatchObject({ Grant: 2, Client: 2, AppRequest: 2 });
    const { last } = await complete<Awaited<ReturnType<Campus['sites']['remove']>>>((after) =>
      campus.sites.remove(harbour, after ?? { stillServed: true }),
    );
    expect(last.removed).toMatchObject({ Grant: 2, Client: 2, AppRule: 1, ConnectedClient: 2, AccessToken: 4 });
    expect(await campus.sites.listRecords(harbour)).toEqual({});
    expect(linesOf(await look(), harbour)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ action: 'school.removed', siteId: 'harbour', connections: 2 });
    for (const each of ['used', 'sam', 'ended', 'olivia']) {
      expect((await userinfo(schools.harbour, tokens[each]?.access)).status).toBe(401);
    }
    expect(await campus.connections.list(harbour, 'sam')).toEqual([]);
    expect(await campus.sites.listRecords(summit)).toEqual(listed);
    expect(linesOf(await look(), summit)).toEqual(before);
    if (name !== 'memory') expect(before.length).toBeGreaterThan(9);
    // A family shows its school by its grant alone.
    expect((await look()).filter((line) => line.startsWith('family ')).length).toBeLessThan(2);
    expect((await userinfo(schools.summit, tokens['summit']?.access)).status).toBe(200);
    expect((await refresh(schools.summit, webMemberApp, tokens['summit']?.refresh)).status).toBe(200);
  });

  test('a person’s data is stored and exported without a credential; after it was erased, no token works and nothing names them', async () => {
    const { store, look } = await make();
    const { campus, schools, events, site, tokens } = await use(store);
    const harbour = site('harbour');
    const data = await campus.members.export(harbour, 'sam');
    expect(data).toMatchObject({
      siteId: 'harbour',
      memberId: 'sam',
      connections: [
        {
          clientName: 'Pocket School',
          scopes: expect.arrayContaining(['account:read']),
          devices: [{ id: expect.any(String) }],
        },
      ],
      requests: [{ clientName: 'Chat', status: 'open' }],
      applications: [{ clientName: 'Chat', createdBy: 'sam' }],
      events: expect.arrayContaining([expect.objectContaining({ action: 'consent.given', memberId: 'sam' })]),
    });
    const [{ createdAt, allowedAt, expiresAt } = { createdAt: 0, allowedAt: 0, expiresAt: 0 }] = data.connections;
    expect([createdAt <= allowedAt, expiresAt - allowedAt]).toEqual([true, 180 * 24 * 60 * 60]);
    const credentials = Object.values(tokens).flatMap(({ access, refresh: other }) => [access, other]);
    const stored = await look();
    for (const text of [JSON.stringify(data), ...stored])
      expect(credentials.filter((credential) => text.includes(credential))).toEqual([]);
    const others = stored.filter((line) => line.includes('"olivia"')).length;

    const { last } = await complete<Awaited<ReturnType<Campus['members']['erase']>>>((after) =>
      campus.members.erase(harbour, 'sam', after),
    );
    for (const each of ['used', 'sam', 'ended']) {
      expect((await userinfo(schools.harbour, tokens[each]?.access)).status).toBe(401);
      expect((await refresh(schools.harbour, memberApp, tokens[each]?.refresh)).status).toBe(400);
    }
    expect(last.removed).toMatchObject({ AccessToken: 3, AppRequest: 1, AllowedPerson: 1, Interaction: 1 });
    const erased = events.filter(({ action }) => /erased|ended/.test(action));
    expect(erased.slice(-2)).toMatchObject([
      { action: 'connection.ended', reason: 'member_erased', connections: 1 },
      { action: 'member.erased', memberDigest: memberDigest('harbour', 'sam') },
    ]);
    expect(await campus.members.export(harbour, 'sam')).toMatchObject({
      connections: [],
      requests: [],
      applications: [],
      events: [],
    });
    const { events: left } = await campus.log.list(harbour, { limit: 500 });
    expect(left.map(({ action }) => action)).toContain('member.erased');
    expect(await campus.applications.list(harbour)).toMatchObject([{ clientName: 'Chat' }]);
    // What they have decided about others holds, without who and why.
    const claude = await campus.apps.find(harbour, 'claude');
    expect([claude.rule.access, claude.decided]).toEqual(['view_only', { at: expect.any(Number) }]);
    expect(await campus.apps.allowedPeople(harbour, 'claude')).toEqual([
      { memberId: 'olivia', at: expect.any(Number), version: expect.any(String) },
    ]);
    const [ofOlivia] = await campus.requests.list(harbour, { memberId: 'olivia' });
    expect(ofOlivia).toMatchObject({ status: 'declined' });
    for (const member of ['answer', 'by']) expect(ofOlivia).not.toHaveProperty(member);
    const named = (await look()).filter((line) => /\bsam\b/.test(line) && !linesOf([line], site('summit')).length);
    expect(named).toEqual([]);
    expect((await look()).filter((line) => line.includes('"olivia"'))).toHaveLength(others);
    expect((await refresh(schools.harbour, memberApp, tokens['olivia']?.refresh)).status).toBe(200);
    expect((await userinfo(schools.summit, tokens['summit']?.access)).status).toBe(200);
  });

  test('each step is bounded, and a removal goes on after a failure', async () => {
    const { store, look } = await make();
    const count = 1200;
    const saves = Array.from({ length: count * 2 }, (_, i) => {
      const siteId = i % 2 === 0 ? 'school' : 'other';
      return { siteId, kind: 'Session', id: `s ${i}`, record: '{}', ttl: 3600 } as const;
    });
    for (let from = 0; from < saves.length; from += 200) {
      await Promise.all(saves.slice(from, from + 200).map(({ siteId, ...entry }) => store.save(siteId, entry)));
    }
    const isMemory = name === 'memory';
    let calls = 0;
    const failing: Store = {
      ...store,
      sweep: async (siteId, from, removes) => {
        if (removes === true) calls += 1;
        if (calls === 2) {
          calls += 1;
          throw new Error('the connection broke');
        }
        return (await store.sweep?.(siteId, from, removes)) ?? { records: {} };
      },
    };
    const schools = await startSchools({ campus: { store: failing } });
    opened.push(() => schools.close());
    const site = { id: 'school', origin: 'https://school.example', name: 'School', connectionsEnabled: true };
    let step = await schools.campus.sites.remove(site);
    let [largest, steps] = [step.removed.Session ?? 0, 1];
    for (; step.next !== undefined; steps += 1) {
      const before = step.removed.Session ?? 0;
      const after = step;
      step = await schools.campus.sites.remove(site, after).catch(() => schools.campus.sites.remove(site, after));
      largest = Math.max(largest, (step.removed.Session ?? 0) - before);
    }
    expect(step.removed.Session).toBe(count);
    expect(isMemory || (largest <= 1000 && steps >= 3)).toBe(true);
    expect(await schools.campus.sites.listRecords({ ...site, id: 'other' })).toEqual({ Session: count });
    expect(isMemory || (await look()).length === count).toBe(true);
  });
});

test('a store without sweep says so', async () => {
  const store = memoryStore();
  delete store.sweep;
  const schools = await startSchools({ campus: { store } });
  opened.push(() => schools.close());
  const site = harbourSite(schools.harbour);
  const noSweep = 'need a store with the method sweep; see docs/reference/retention.md';
  await expect(schools.campus.sites.remove(site, { stillServed: true })).rejects.toThrow(noSweep);
  await expect(schools.campus.members.erase(site, 'sam')).rejects.toThrow(noSweep);
  expect(await schools.campus.members.export(site, 'sam')).toMatchObject({ connections: [] });
});
