import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Cluster } from 'ioredis';
import { redisStore } from '../../../adapters/redis/index.ts';
import type { Store } from '../../../lib/store.ts';
import { connectTo } from './campus.ts';
import { type RedisCluster, type RedisNode, startCluster, until } from '../../helpers/redis.ts';

let cluster: RedisCluster;
let client: Cluster;
let admin: ReturnType<typeof connectTo>;
beforeAll(async () => {
  // The other masters go on although some slots are not served, and no node is taken for dead on a slow machine: the test
  // itself says when the replica takes over.
  cluster = await startCluster(['--cluster-require-full-coverage', 'no', '--cluster-node-timeout', '600000']);
  admin = connectTo(cluster.nodes[0]?.port ?? 0);
  client = new Cluster(cluster.seeds, {
    slotsRefreshTimeout: 500,
    slotsRefreshInterval: 200,
    redisOptions: { disconnectTimeout: 100 },
  });
  client.on('error', () => {});
});
afterAll(async () => {
  client.disconnect();
  admin.disconnect();
  await cluster.stop();
});

/** The master of a site, with the others of the cluster. */
async function homeOf(
  siteId: string,
): Promise<{ readonly master: RedisNode; readonly replica: RedisNode; place: number }> {
  const slot = Number(await admin.call('CLUSTER', 'KEYSLOT', `{${siteId}}`));
  const place = Math.floor(slot / Math.ceil(16_384 / 3));
  const [master, replica] = [cluster.nodes[place], cluster.nodes[place + 3]];
  if (!master || !replica) throw new Error('no such node');
  return { master, replica, place };
}

const works = (store: Store, site: string): Promise<boolean> =>
  store.find(site, 'Session', 'a').then(
    (found) => found?.record === 'x',
    () => false,
  );

test('a master that does not respond: its schools fail at once, the others are served, and it recovers', async () => {
  const store = redisStore(client, { deadline: 3000 });
  const reports: string[] = [];
  store.observe?.((message, cause) => reports.push(`${message}: ${String(cause)}`));
  const sites = Array.from({ length: 30 }, (_, i) => `school-${i}`);
  const places = await Promise.all(sites.map(async (site) => (await homeOf(site)).place));
  for (const site of sites) await store.save(site, { kind: 'Session', id: 'a', record: 'x', ttl: 60 });
  const { master, replica, place } = await homeOf(sites[0] ?? '');
  const served = async (): Promise<boolean[]> => Promise.all(sites.map((site) => works(store, site)));
  expect(places.filter((each) => each === place).length).toBeGreaterThan(2);

  // Without its replica no one takes over.
  replica.freeze();
  master.freeze();
  expect(await works(store, sites[0] ?? '')).toBe(false);
  expect(reports).toEqual([expect.stringContaining(`Redis at 127.0.0.1:${master.port} did not respond in time`)]);
  for (let i = 0; i < 100; i += 1) expect(await served()).toEqual(places.map((each) => each !== place));
  // The other schools of that master did not wait for a deadline of their own.
  expect(reports).toHaveLength(1);

  replica.thaw();
  const heir = connectTo(replica.port);
  await heir.call('CLUSTER', 'FAILOVER', 'TAKEOVER');
  heir.disconnect();
  await until('the replica has taken over', async () => (await served()).every(Boolean));
  master.thaw();
  await until('the old master is noticed', async () => reports.length > 1);
  expect(reports[1]).toContain('the store works again');
  expect((await served()).every(Boolean)).toBe(true);
});
