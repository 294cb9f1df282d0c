import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import type { Store } from '../../lib/store.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { connect, exchange, getCode, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { startPostgres } from '../helpers/postgres.ts';
import { startRedis } from '../helpers/redis.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

interface Server {
  readonly store: Store;
  /** Makes all redemptions so many seconds older, by the clock of the server. */
  age(seconds: number): Promise<void>;
  close(): Promise<void>;
}

const deadline = 10_000;

async function onRedis(): Promise<Server> {
  const server = await startRedis();
  const client = new Redis(server.port, '127.0.0.1');
  return {
    store: redisStore(client, { deadline }),
    age: async (seconds) => {
      for (const key of await client.keys('*}:p:r:*')) {
        const older = (await client.get(key))?.replace(/^\d+(?= )/, (at) => String(Number(at) - seconds)) ?? '';
        await client.set(key, older, 'KEEPTTL');
      }
      for (const key of await client.keys('*}:[ard]:*')) {
        const [head = '', ...record] = (await client.get(key))?.split('\n') ?? [];
        const older = head.replace(/\d+(?=\.\w+$)/, (at) => String(Number(at) - seconds));
        await client.set(key, [older, ...record].join('\n'), 'KEEPTTL');
      }
    },
    close: async () => {
      client.disconnect();
      await server.stop();
    },
  };
}

async function onPostgres(): Promise<Server> {
  const server = await startPostgres();
  const store = postgresStore(server.pool({ query_timeout: deadline }));
  await store.migrate();
  const admin = server.pool({ max: 1 });
  return {
    store,
    age: async (seconds) => {
      await admin.query('update campus_token set consumed = consumed - $1', [seconds]);
      await admin.query('update campus_replay set redeemed = redeemed - $1', [seconds]);
    },
    close: () => server.stop(),
  };
}

describe.each([
  ['Redis', onRedis],
  ['PostgreSQL', onPostgres],
])('processes whose clocks differ, on %s', (_name, start) => {
  let server: Server;
  let schools: Schools;
  beforeAll(async () => {
    server = await start();
    schools = await startSchools({ campus: { store: server.store } });
  }, 60_000);
  afterEach(resetClock);
  afterAll(async () => {
    await schools?.close();
    await server?.close();
  });

  const again = (token: unknown) => refresh(schools.harbour, webMemberApp, token);

  test.each([40, -40])(
    'a retry within the grace window is one, also in a process that is %d s ahead',
    async (ahead) => {
      const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
      const next = await again(body['refresh_token']);
      setClockAhead(ahead);
      const retry = await again(body['refresh_token']);
      expect([retry.status, retry.body]).toEqual([200, next.body]);
      resetClock();
      expect((await userinfo(schools.harbour, next.body['access_token'])).status).toBe(200);
    },
  );

  test.each([40, -40])('a reuse after it ends the family, also in a process that is %d s ahead', async (ahead) => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const next = await again(body['refresh_token']);
    await server.age(31);
    setClockAhead(ahead);
    expect((await again(body['refresh_token'])).body).toMatchObject({ error: 'invalid_grant' });
    resetClock();
    expect((await userinfo(schools.harbour, next.body['access_token'])).status).toBe(401);
  });

  test('a code is redeemed by a process that is ahead, and its reuse noticed by one that is not', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    setClockAhead(40);
    const first = await exchange(code);
    expect(first.status).toBe(200);
    resetClock();
    await server.age(3);
    expect((await exchange(code)).status).toBe(400);
    expect((await userinfo(schools.harbour, first.body['access_token'])).status).toBe(401);
  });
});
