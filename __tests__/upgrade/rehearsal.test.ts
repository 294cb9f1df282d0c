import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import type { CampusKeys } from '../../lib/index.ts';
import { type TestClient, webMemberApp } from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { startPostgres } from '../helpers/postgres.ts';
import { startRedis } from '../helpers/redis.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Load, register, startLoad } from './load.ts';
import type { Release } from './releases.ts';
import { compiledOnce, type Server, startServer } from './server.ts';

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

/** Kinds that this release writes in a second version in a store that began with it. */
const changed = ['Grant', 'AccessToken', 'RefreshToken'];

/** Kinds of the records in which version, and of those that never expire. */
async function versions(server: Server): Promise<Readonly<Record<'first' | 'second' | 'endlessFirst', string[]>>> {
  const { stored = [] } = await server.order('stored');
  const kinds = (rows: typeof stored): string[] => [...new Set(rows.map(([kind]) => kind))].sort();
  const second = stored.filter(([, record]) => /^\{"v":[23],"inside":/.test(record));
  const first = stored.filter((row) => !second.includes(row));
  for (const [kind, record] of first) expect(record).toMatch(changed.includes(kind) ? /^\{"v":[12],/ : /^\{"v":1,/);
  const endless = first.filter(
    ([kind, record]) => ['ConnectedClient', 'ProgramRule'].includes(kind) || record.includes('"application"'),
  );
  return { first: kinds(first), second: kinds(second), endlessFirst: kinds(endless) };
}

/** How many refresh tokens are stored in the first form, and how many lines. */
async function refreshTokens(server: Server): Promise<{ readonly first: number; readonly lines: number }> {
  const { stored = [] } = await server.order('stored');
  const records = stored.flatMap(([kind, record]) => (kind === 'RefreshToken' ? record : []));
  const first = records.filter((record) => record.startsWith('{"v":1,')).length;
  return { first, lines: records.length - first };
}

/** What the visitors write all the time, and what stays for a while. */
const written = ['AccessToken', 'AuthorizationCode', 'Grant', 'RefreshToken', 'Session'];

/** Everyone has asked the store once more; no call may be under way meanwhile. */
const minuteLater = (on: readonly Server[]): Promise<void> =>
  load?.between(async () => void (await Promise.all(on.map((server) => server.order('minute'))))) ?? Promise.resolve();

describe.each([
  ['Redis', 0],
  ['PostgreSQL', 1],
])('processes of two releases on %s', (_name, i) => {
  const portsOf = (all: readonly Server[]): number[] => all.flatMap(({ ports }) => ports);
  /** Requests go to these processes alone. */
  const use = (...on: Server[]): Promise<void> => balancer.use(portsOf(on));

  // The servers go on from one test to the next, and what is in them.
  const emptied = async (): Promise<void> => {
    await shared[i]?.empty();
  };
  beforeEach(emptied);

  /** `campus-oidc store upgrade` of a release, so many seconds from now. */
  async function upgrade(seconds: number, release: Release = 'next'): Promise<readonly [code: number, text: string]> {
    const args = [new URL('./command.ts', import.meta.url).pathname, release, String(seconds), 'store', 'upgrade'];
    const module = new URL('./command-store.ts', import.meta.url).pathname;
    const env = { ...process.env, ...compiledOnce, UPGRADED_STORE: shared[i]?.url ?? '' };
    const run = promisify(execFile)(process.execPath, [...args, module], { env });
    return run.then(
      ({ stdout }) => [0, stdout],
      (error: { code: number; stdout: string; stderr: string }) => [error.code, `${error.stdout}${error.stderr}`],
    );
  }

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

    const [one, two] = [await start(url, 'next'), await start(url, 'next')];
    await use(old, one, two);
    await allIsWell([old, one, two]);
    expect((await versions(one)).second).toEqual([]);
    expect((await one.order('findings')).findings).toContain('formats-open');

    await old.order('announce');
    expect(await upgrade(0)).toEqual([2, expect.stringContaining('a process of an earlier release announced itself')]);
    await use(one, two);
    await stop(old);
    await allIsWell([one, two]);
    // Ten minutes after the old process was there.
    expect(await upgrade(601)).toEqual([1, expect.stringContaining('run it once more in 120 seconds')]);
    await minuteLater([one, two]);
    await allIsWell([one, two]);
    expect((await versions(one)).endlessFirst).toEqual(['Client', 'ConnectedClient', 'ProgramRule']);
    expect((await versions(two)).second).toEqual(expect.arrayContaining(written));

    const [code, text] = await upgrade(601 + 121);
    expect([code, text]).toEqual([0, expect.stringMatching(/^ok {3}5 records rewritten; 0 were changed meanwhile/)]);
    await allIsWell([one, two]);
    expect((await versions(one)).endlessFirst).toEqual([]);
    expect((await one.order('findings')).findings).not.toContain('formats-open');
  }, 300_000);

  test('from the release before lines of refresh tokens, forward and back and forward, under load; no connection is lost', async () => {
    const url = shared[i]?.url ?? '';
    const old = await start(url, 'before');
    await use(old);
    load = await startLoad(balancer.origin, await visitors(old));
    await allIsWell([old]);

    const tried = await start(url, 'this');
    await use(old, tried);
    await allIsWell([old, tried]);
    await use(old);
    await stop(tried);
    await allIsWell([old]);

    const [one, two] = [await start(url, 'this'), await start(url, 'this')];
    await use(old, one, two);
    await allIsWell([old, one, two]);
    // Until the upgrade nothing is a line.
    const { first, lines: tooEarly } = await refreshTokens(one);
    expect(first).toBeGreaterThanOrEqual(3);
    expect(tooEarly).toBe(0);
    expect((await one.order('findings')).findings).toContain('formats-open');

    await use(one, two);
    await stop(old);
    const permitted = changed.map((kind) => `${kind} 2`).join(', ');
    expect(await upgrade(601, 'this')).toEqual([1, expect.stringContaining(`permitted: ${permitted};`)]);
    await minuteLater([one, two]);
    await allIsWell([one, two]);
    // Everybody has gone on from a token of the release before, in a line.
    expect((await refreshTokens(one)).lines).toBeGreaterThanOrEqual(3);
    expect(await upgrade(601 + 121, 'this')).toEqual([0, expect.stringContaining('records rewritten')]);
    await allIsWell([one, two]);
    expect((await one.order('findings')).findings).not.toContain('formats-open');
  }, 300_000);
});

test('both releases in one process, on one store in memory', async () => {
  const server = await start('', 'this', 'next');
  const [old = 0, next = 0] = server.ports;
  const use = (...ports: number[]): Promise<void> => balancer.use(ports);
  await use(old);
  load = await startLoad(balancer.origin, await visitors(server));
  for (const ports of [[old], [old, next], [old], [old, next], [next]]) {
    await use(...ports);
    await allIsWell([server]);
  }
  expect((await versions(server)).second).toEqual([]);
  expect((await server.order('permit')).ok).toBe(true);
  await minuteLater([server]);
  await allIsWell([server]);
  expect((await versions(server)).second).toEqual(expect.arrayContaining(written));
}, 300_000);
