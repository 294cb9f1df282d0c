import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import type { CampusKeys } from '../../lib/index.ts';
import { connect, refresh, type TestClient, userinfo, webMemberApp } from '../helpers/flow.ts';
import { Browser } from '../helpers/browser.ts';
import { signingKey } from '../helpers/keys.ts';
import { startPostgres } from '../helpers/postgres.ts';
import { startRedis } from '../helpers/redis.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Load, register, startLoad } from './load.ts';
import type { Release } from './releases.ts';
import { type Server, startServer } from './server.ts';

/** Servers for the stores that processes share. */
const shared: { readonly name: string; readonly url: string; empty(): Promise<unknown>; stop(): Promise<void> }[] = [];
let keys: CampusKeys;
beforeAll(async () => {
  const [redis, postgres, signing] = await Promise.all([startRedis(), startPostgres(), signingKey('shared')]);
  const client = new Redis(redis.url);
  const pool = postgres.pool({ max: 1 });
  shared.push({
    name: 'Redis',
    url: redis.url,
    empty: () => client.flushall(),
    stop: async () => {
      client.disconnect();
      await redis.stop();
    },
  });
  shared.push({
    name: 'PostgreSQL',
    url: postgres.url,
    empty: () => pool.query('drop schema public cascade; create schema public'),
    stop: () => postgres.stop(),
  });
  keys = { signing: [signing], cookies: ['a secret of all processes, which is long enough'] };
});
afterAll(() => Promise.all(shared.map((each) => each.stop())));

let balancer: Balancer;
let servers: Server[];
let load: Load | undefined;
beforeEach(async () => {
  servers = [];
  balancer = await startBalancer();
});
afterEach(async () => {
  await load?.stop();
  load = undefined;
  for (const server of servers) await server.close();
  await balancer.close();
});

async function start(url: string, ...releases: Release[]): Promise<Server> {
  const server = await startServer({ url, origin: balancer.origin, keys, releases });
  servers.push(server);
  return server;
}

async function stop(server: Server): Promise<void> {
  servers.splice(servers.indexOf(server), 1);
  await server.close();
}

/** People who connect with a client in code, an application, and one that registered itself. */
async function visitors(server: Server): Promise<readonly { person: string; client: TestClient }[]> {
  const { issued } = await server.order('application');
  const { application, clientSecret: secret } = issued ?? {};
  if (!application || secret === undefined) throw new Error('no application');
  const redirectUri = 'https://timer.example/callback';
  return [
    { person: 'sam', client: webMemberApp },
    { person: 'olivia', client: { id: application.clientId, redirectUri, secret, scope: 'openid profile' } },
    { person: 'olivia', client: await register(balancer.origin) },
  ];
}

/** Everybody does everything once, and nothing fails. */
async function allIsWell(on: readonly Server[]): Promise<void> {
  await load?.round();
  const faults = await Promise.all(on.map((server) => server.order('faults')));
  expect({ failures: load?.failures, faults: faults.flatMap((reply) => reply.faults ?? []) }).toEqual({
    failures: [],
    faults: [],
  });
}

/** Kinds of which the form of this release is the second. */
const second = ['Grant', 'AccessToken', 'RefreshToken'];

/** Kinds of the records in the form of this release and in the new one, and of those that never expire. */
async function formsOf(server: Server): Promise<Readonly<Record<'ours' | 'oursForever' | 'new', string[]>>> {
  const { stored = [] } = await server.order('stored');
  const kinds = (rows: typeof stored): string[] => [...new Set(rows.map(([kind]) => kind))].sort();
  const isNew = ([kind, record]: (typeof stored)[number]): boolean =>
    record.startsWith(second.includes(kind) ? '{"v":3,"inside":' : '{"v":2,"inside":');
  const ours = stored.filter((row) => !isNew(row));
  for (const [kind, record] of ours) expect(record).toMatch(second.includes(kind) ? /^\{"v":2,/ : /^\{"v":1,/);
  const forever = ours.filter(
    ([kind, record]) => ['ConnectedClient', 'AppRule'].includes(kind) || record.includes('"application"'),
  );
  return { ours: kinds(ours), oursForever: kinds(forever), new: kinds(stored.filter(isNew)) };
}

/** What the visitors write all the time, and what stays for a while. */
const written = ['AccessToken', 'AuthorizationCode', 'Grant', 'RefreshToken', 'Session'];

/** Of the records that never expire, until something writes them again. */
const forever = ['AppRule', 'Client', 'ConnectedClient'];

describe.each([
  ['Redis', 0],
  ['PostgreSQL', 1],
])('processes of releases in a row on %s', (_name, i) => {
  /** Requests go to these processes alone. */
  const use = (...on: Server[]): Promise<void> => balancer.use(on.flatMap(({ ports }) => ports));

  // The servers go on from one test to the next, and what is in them.
  beforeEach(async () => {
    await shared[i]?.empty();
  });

  test('forward and back, under load, without a 503 and without a lost grant', async () => {
    const url = shared[i]?.url ?? '';
    const old = await start(url, 'this');
    await use(old);
    load = await startLoad(balancer.origin, await visitors(old));
    await allIsWell([old]);

    const tried = await start(url, 'next');
    await use(old, tried);
    await allIsWell([old, tried]);
    // Back: nothing stands in the way.
    await use(old);
    await stop(tried);
    await allIsWell([old]);

    const next = await start(url, 'next');
    await use(old, next);
    await allIsWell([old, next]);
    await use(next);
    await stop(old);
    await allIsWell([next]);
    expect((await formsOf(next)).new).toEqual([]);

    const later = await start(url, 'later');
    await use(next, later);
    await allIsWell([next, later]);
    await use(later);
    await allIsWell([later]);
    expect((await formsOf(later)).new).toEqual(expect.arrayContaining(written));
    // Back by one release: it reads what the later one has written.
    await use(next);
    await allIsWell([next]);
    await use(later);
    await stop(next);
    await allIsWell([later]);
    expect((await formsOf(later)).oursForever).toEqual(forever);

    await load.stop();
    await cannotGoBackByTwo(later, await start(url, 'this'));
  }, 300_000);

  /** This release does not know the new forms. */
  async function cannotGoBackByTwo(later: Server, old: Server): Promise<void> {
    const { origin } = balancer;
    const { body } = await connect(new Browser({ person: 'sam' }), origin, webMemberApp);
    await use(old);
    expect((await userinfo(origin, body['access_token'])).status).toBe(503);
    expect((await refresh(origin, webMemberApp, body['refresh_token'])).status).toBe(503);
    const unknown = 'Error: the record has version 3; this release reads version 2';
    expect((await old.order('faults')).faults).toEqual([
      `this: reading a stored AccessToken failed: ${unknown}`,
      `this: reading a stored RefreshToken failed: ${unknown}`,
    ]);
    // Nothing is lost.
    await use(later);
    expect((await userinfo(origin, body['access_token'])).status).toBe(200);
    expect((await refresh(origin, webMemberApp, body['refresh_token'])).status).toBe(200);
  }
});

test('three releases in one process, on one store in memory', async () => {
  const server = await start('', 'this', 'next', 'later');
  const [old = 0, next = 0, later = 0] = server.ports;
  await balancer.use([old]);
  load = await startLoad(balancer.origin, await visitors(server));
  for (const ports of [[old], [old, next], [old], [old, next], [next]]) {
    await balancer.use(ports);
    await allIsWell([server]);
  }
  expect((await formsOf(server)).new).toEqual([]);
  for (const ports of [[next, later], [later], [next], [later]]) {
    await balancer.use(ports);
    await allIsWell([server]);
  }
  expect(await formsOf(server)).toMatchObject({ oursForever: forever, new: expect.arrayContaining(written) });
}, 300_000);
