import { randomUUID } from 'node:crypto';
import { memoryStore } from '../adapters/memory/index.ts';
import { redisStore } from '../adapters/redis/index.ts';
import type { SchoolPlatform } from '../lib/index.ts';
import type { Store } from '../lib/store.ts';
import {
  connect,
  exchange,
  getCode,
  type JsonResponse,
  memberApp,
  refresh,
  revokeToken,
  userinfo,
  webMemberApp,
} from '../__tests__/helpers/flow.ts';
import { startRedis } from '../__tests__/helpers/redis.ts';
import { type Schools, startSchools } from '../__tests__/helpers/schools.ts';
import { createStoredClient } from '../__tests__/stores/stored-client.ts';
import { connectTo } from '../__tests__/stores/redis/campus.ts';
import { RedisProxy } from '../__tests__/stores/redis/proxy.ts';
import { startPostgres } from '../__tests__/helpers/postgres.ts';
import { DatabaseSync } from 'node:sqlite';
import { postgresStore } from '../adapters/postgres/index.ts';
import { sqliteStore } from '../adapters/sqlite/index.ts';
import { compareChurn } from './support/sql-churn.ts';
import { compareMany, compareSql } from './support/sql-rates.ts';
import { readArguments } from './support/arguments.ts';

/**
 * Measures the Redis store: bytes of a live connection, round trips and commands of each operation, and how fast two
 * operations are against the store in memory. Bytes, trips and commands are the same on every machine with the same
 * Redis; of the rates only the ratios count.
 */
const usage = `npm run bench:store -- [options]

  --only sql        only the calls of the SQL stores
  --only more       only what --rows and --churn add
  --rows 1000000    also purges and revokes so many rows in PostgreSQL
  --churn 20        also refreshes 2,000 connections in PostgreSQL so often, and shows what becomes of the tables
  --help            this text`;
const number = { type: 'string', default: '0' } as const;
const given = readArguments(usage, { only: { type: 'string', default: '' }, rows: number, churn: number });

const server = await startRedis();
const proxy = await RedisProxy.start(server.port);
const [client, watched, admin] = [connectTo(server.port), connectTo(proxy.port), connectTo(server.port)];
const uuid = randomUUID();

/** The ordinary schools, or ones with ids as long as a platform's may be. */
async function withSchools<T>(store: Store, long: boolean, use: (schools: Schools) => Promise<T>): Promise<T> {
  const wrapPlatform = (platform: SchoolPlatform): SchoolPlatform => ({
    ...platform,
    findSite: async (origin) => {
      const site = await platform.findSite(origin);
      return site?.id === 'harbour' && long ? { ...site, id: uuid } : site;
    },
    findMember: async (site, id) => {
      const sam = await platform.findMember({ ...site, id: 'harbour' }, 'sam');
      return sam && { ...sam, id };
    },
  });
  const schools = await startSchools({ campus: { store }, wrapPlatform });
  try {
    return await use(schools);
  } finally {
    await schools.close();
  }
}

const lettersOfConnection = new Map([
  ['g', 'grant, with the list of its families'],
  ['t', 'access token'],
  ['r', 'refresh token'],
  ['m', 'the member’s list of grants'],
  ['x', 'the client’s list of grants'],
]);

async function bytes(long: boolean): Promise<void> {
  await admin.flushall();
  await withSchools(redisStore(client), long, async (schools) => {
    const app = long ? webMemberApp : memberApp;
    const { body } = await connect(schools.browser(long ? uuid : 'sam'), schools.harbour, app);
    const keys = await admin.keys('*');
    const rows = await Promise.all(
      keys.map(async (key) => {
        const letter = key.replace(/^.*}:/, '').slice(0, 1);
        return { what: lettersOfConnection.get(letter), bytes: Number(await admin.call('MEMORY', 'USAGE', key)) };
      }),
    );
    const counted = rows.filter(({ what }) => what !== undefined);
    console.log(`\nMEMORY USAGE of a live connection, ${long ? 'ids of site and member are UUIDs' : 'short ids'}`);
    console.table(counted);
    console.log(`all: ${counted.reduce((sum, row) => sum + row.bytes, 0)} bytes`);
    const [used] = keys.filter((key) => key.includes('}:r:'));
    await refresh(schools.harbour, app, body['refresh_token']);
    console.log(`a refresh token that was used: ${String(await admin.call('MEMORY', 'USAGE', used ?? ''))} bytes`);
  });
}

async function trips(): Promise<void> {
  await withSchools(redisStore(watched), false, async (schools) => {
    const { harbour: origin } = schools;
    const stored = await createStoredClient(schools);
    const rows: object[] = [];
    for (const [name, its] of [
      ['warm', memberApp],
      ['in code', memberApp],
      ['in the store', stored],
    ] as const) {
      const measure = async (operation: string, run: () => Promise<JsonResponse>): Promise<JsonResponse> => {
        proxy.forget();
        const result = await run();
        if (name !== 'warm')
          rows.push({
            client: name,
            operation,
            trips: proxy.trips,
            commands: proxy.commands.length,
            status: result.status,
          });
        return result;
      };
      const code = await getCode(schools.browser('sam'), origin, its);
      const first = await measure('code exchange', () => exchange(code));
      const { body } = await measure('refresh', () => refresh(origin, its, first.body['refresh_token']));
      await measure('verification (UserInfo)', () => userinfo(origin, body['access_token']));
      await measure('revocation', () => revokeToken(origin, its, body['refresh_token']));
    }
    console.log('\nRound trips and commands, as seen on the connection');
    console.table(rows);
  });
}

/** Responses per second of one kind of request, 16 at a time. */
async function rate(seconds: number, run: (worker: number) => Promise<JsonResponse>): Promise<number> {
  let done = 0;
  const end = performance.now() + seconds * 1000;
  const workers = Array.from({ length: 16 }, async (_, worker) => {
    while (performance.now() < end) {
      if ((await run(worker)).status !== 200) throw new Error('a request failed');
      done += 1;
    }
  });
  await Promise.all(workers);
  return Math.round(done / seconds);
}

async function rates(store: Store): Promise<{ readonly verify: number; readonly refresh: number }> {
  return withSchools(store, false, async (schools) => {
    const { harbour: origin } = schools;
    const tokens = await Promise.all(
      Array.from({ length: 16 }, (_, i) => connect(schools.browser(`sam-${i}`), origin, memberApp)),
    );
    const latest = tokens.map(({ body }) => body);
    return {
      verify: await rate(2, (worker) => userinfo(origin, latest[worker]?.['access_token'])),
      refresh: await rate(2, async (worker) => {
        const result = await refresh(origin, memberApp, latest[worker]?.['refresh_token']);
        latest[worker] = result.body;
        return result;
      }),
    };
  });
}

async function compareStores(): Promise<void> {
  const postgres = await startPostgres([]);
  const sql = postgresStore(postgres.pool({ max: 10, query_timeout: 20_000 }));
  const lite = sqliteStore(new DatabaseSync(':memory:'));
  await Promise.all([sql.migrate(), lite.migrate()]);
  // Once for nothing: the first run compiles.
  await rates(memoryStore());
  const memory = await rates(memoryStore());
  const measured = { redis: await rates(redisStore(client)), postgres: await rates(sql), sqlite: await rates(lite) };
  await postgres.stop();
  console.log('\nRequests per second over HTTP, client and server in this one process');
  console.table({ memory, ...measured });
  for (const [name, { verify, refresh: refreshed }] of Object.entries(measured)) {
    const [first, second] = [verify / memory.verify, refreshed / memory.refresh];
    console.log(`${name} against memory: verify ${first.toFixed(2)}, refresh ${second.toFixed(2)}`);
  }
}

const [version] = /redis_version:\S+/.exec(await admin.info('server')) ?? [];
console.log(`node ${process.version}, ${version ?? 'unknown Redis'}`);
if (given.only === '') {
  await bytes(false);
  await bytes(true);
  await trips();
  await compareStores();
}
if (given.only !== 'more') await compareSql(server.port);
if (Number(given.rows) > 0) await compareMany(Number(given.rows));
if (Number(given.churn) > 0) await compareChurn(Number(given.churn));
console.log('\nNo targets: budget.test.ts of the Redis store has the bounds of bytes, trips and commands.');
for (const each of [client, watched, admin]) each.disconnect();
await proxy.refuse();
await server.stop();
