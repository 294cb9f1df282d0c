import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { memoryStore } from '../../adapters/memory/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { createCampus, VersionConflict } from '../../lib/index.ts';
import { partsOf } from '../../lib/public/campus.ts';
import type { Store } from '../../lib/store.ts';
import { fakePlatform } from '../../lib/testing/fake-platform.ts';
import { signingKey } from '../helpers/keys.ts';
import { type RedisNode, startRedis } from '../helpers/redis.ts';
import { harbourSite } from '../helpers/sites.ts';
import { type Database, postgresDatabases, sqliteDatabase } from './sql/databases.ts';

// Two decisions at the same instant, of processes that share a store: one is made, and the other says whose it is.

let redis: RedisNode;
let client: Redis;
let postgres: Awaited<ReturnType<typeof postgresDatabases>>;
const opened: (() => Promise<void>)[] = [];
beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), postgresDatabases()]);
  client = new Redis(redis.url);
});
afterAll(async () => {
  for (const close of opened.splice(0)) await close();
  client.disconnect();
  await Promise.all([redis.stop(), postgres.server.stop()]);
});

async function onSql(database: Database): Promise<Store> {
  const store = database.open();
  await store.migrate();
  opened.push(() => database.close());
  return store;
}

const site = harbourSite();
const deciders = ['olivia', 'oscar', 'otto', 'ove'];

/** What each of the decisions at once came to: who has made it, or whose it is instead. */
async function outcomes(decide: (by: string, i: number) => Promise<unknown>): Promise<(readonly [string, string])[]> {
  return Promise.all(
    deciders.map(async (by, i) => {
      try {
        await decide(by, i);
        return [by, by] as const;
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        return [by, error.decided?.by ?? 'taken back'] as const;
      }
    }),
  );
}

describe.each<[string, () => Promise<Store>]>([
  ['in memory', async () => memoryStore()],
  ['on Redis', async () => redisStore(client, { deadline: 30_000 })],
  ['on PostgreSQL', async () => onSql(await postgres.make())],
  ['on SQLite', async () => onSql(sqliteDatabase())],
])('%s', (_where, make) => {
  async function start() {
    const store = await make();
    const keys = { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] };
    const campus = createCampus({ platform: fakePlatform({ schools: [site], people: {} }), store, keys });
    opened.push(() => campus.close());
    return campus;
  }

  const target = { app: 'claude' } as const;
  const rules = [
    { access: 'blocked' },
    { access: 'allowed', ask: true },
    { access: 'view_only' },
    { access: 'allowed', roles: ['owner'] },
  ] as const;

  test('one rule is set, from the same version', async () => {
    const { apps } = await start();
    for (let round = 0; round < 5; round += 1) {
      await apps.reset(site, target.app);
      const { version } = await apps.find(site, target.app);
      const all = await outcomes((by, i) => apps.set(site, target.app, rules[i] ?? rules[0], { by, version }));
      const { decided, own } = await apps.find(site, target.app);
      expect(all.map(([, made]) => made)).toEqual(deciders.map(() => decided?.by));
      expect(own).toEqual(rules[deciders.indexOf(decided?.by ?? '')]);
    }
  });

  test('a block and its end: what is stored is of the one that was made', async () => {
    const { apps } = await start();
    await apps.set(site, { clientId: 'app' }, { access: 'view_only' });
    const { version } = await apps.find(site, { clientId: 'app' });
    const all = await outcomes((by, i) =>
      i === 0
        ? apps.reset(site, { clientId: 'app' }, { version })
        : apps.set(site, { clientId: 'app' }, { access: 'blocked' }, { by, version }),
    );
    const { status } = await apps.find(site, { clientId: 'app' });
    const isReset = all[0]?.[1] === 'olivia';
    expect(status === 'blocked').toBe(!isReset);
  });

  test('a version is approved, or its client is blocked: one of it, from what both saw', async () => {
    const campus = await start();
    const reviews = partsOf(campus)?.school.reviews;
    for (let round = 0; round < 5; round += 1) {
      const document = { clientId: `https://docs.example/${round}` };
      const shown = {
        ...document,
        clientName: 'Doc Client',
        audience: 'operator',
        redirectUris: [],
        digest: 'd',
      } as const;
      await reviews?.recordShown(site, 'olivia', shown);
      const { version } = await campus.apps.find(site, document);
      const all = await outcomes((by, i) =>
        campus.apps.set(site, document, { access: i % 2 === 0 ? 'allowed' : 'blocked' }, { by, version }),
      );
      const { decided, review, status } = await campus.apps.find(site, document);
      // Who decides the same is not against whoever has.
      const isApproved = review?.status === 'approved';
      expect(status).toBe(isApproved ? 'allowed' : 'blocked');
      expect(deciders.indexOf(decided?.by ?? '') % 2 === 0).toBe(isApproved);
      const made = all.map(([by, other]) => by === other);
      expect([made[0] || made[2], made[1] || made[3]]).toEqual([isApproved, !isApproved]);
    }
  });

  test('one change of an application is made, and a removal undoes none', async () => {
    const { applications } = await start();
    const settings = {
      clientName: 'Timer',
      redirectUris: ['https://timer.example/callback'],
      scopes: ['openid'],
    } as const;
    const { application } = await applications.create(site, { ...settings, confidential: false });
    const { clientId, version } = application;
    const all = await outcomes((by) => applications.update(site, clientId, { clientName: by }, { by, version }));
    const current = await applications.find(site, clientId);
    expect(all.map(([, made]) => made)).toEqual(deciders.map(() => current?.changedBy));
    expect(current?.clientName).toBe(current?.changedBy);
    const removal = applications.remove(site, clientId, { version });
    await expect(removal).rejects.toMatchObject({ status: 409, decided: { by: current?.changedBy } });
  });
});
