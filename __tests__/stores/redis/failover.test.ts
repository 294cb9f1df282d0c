import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Cluster } from 'ioredis';
import { redisStore } from '../../../adapters/redis/index.ts';
import type { SchoolPlatform } from '../../../lib/index.ts';
import { type RedisCluster, type RedisNode, startCluster, until } from '../../helpers/redis.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { connectTo } from './campus.ts';
import { startLoad } from './load.ts';

const deadline = 1000;
const elsewhere = 'summit-east';

let cluster: RedisCluster;
let client: Cluster;
let schools: Schools;
beforeAll(async () => {
  // The other school is served for as long as nobody takes over.
  cluster = await startCluster(['--cluster-require-full-coverage', 'no']);
  client = new Cluster(cluster.seeds, {
    maxRedirections: 50,
    retryDelayOnFailover: 50,
    slotsRefreshTimeout: 500,
    redisOptions: { disconnectTimeout: 100, connectTimeout: 500 },
  });
  client.on('error', () => {});
  const store = redisStore(client, { deadline, durability: { replicas: 1, timeout: 300 } });
  schools = await startSchools({ campus: { store, limits: false }, wrapPlatform: summitElsewhere });
});
afterAll(async () => {
  await schools?.close();
  client?.disconnect();
  await cluster?.stop();
});

/** Gives Summit School an id whose keys are on a different master than those of Harbour School. */
function summitElsewhere(platform: SchoolPlatform): SchoolPlatform {
  return {
    ...platform,
    findSite: async (origin) => {
      const site = await platform.findSite(origin);
      return site?.id === 'summit' ? { ...site, id: elsewhere } : site;
    },
    findMember: (site, memberId) =>
      platform.findMember(site.id === elsewhere ? { ...site, id: 'summit' } : site, memberId),
  };
}

/** Sends a command to one node of the cluster. */
async function ask(node: RedisNode, ...command: [string, ...(string | number)[]]): Promise<string> {
  const admin = connectTo(node.port);
  try {
    return String(await admin.call(...command));
  } finally {
    admin.disconnect();
  }
}

/** The master of a school and its replica. */
async function homeOf(siteId: string): Promise<{ readonly master: RedisNode; readonly replica: RedisNode }> {
  const [first] = cluster.nodes;
  if (!first) throw new Error('no cluster');
  const slot = Number(await ask(first, 'CLUSTER', 'KEYSLOT', `{${siteId}}`));
  const place = Math.floor(slot / Math.ceil(16_384 / 3));
  const [master, replica] = [cluster.nodes[place], cluster.nodes[place + 3]];
  if (!master || !replica) throw new Error('no such node');
  return { master, replica };
}

test('failover under load: only 200 and 503, no acknowledged write is lost, and the other school is not affected', async () => {
  const { master, replica } = await homeOf('harbour');
  expect((await homeOf(elsewhere)).master).not.toBe(master);
  const [here, other] = await Promise.all([
    startLoad(schools, [schools.harbour]),
    startLoad(schools, [schools.summit]),
  ]);
  await Promise.all([here.successes(20), other.successes(20)]);
  // Nobody takes over until every application has had its 503.
  await ask(replica, 'CONFIG', 'SET', 'cluster-replica-no-failover', 'yes');
  await master.kill();
  await Promise.all([here.faults(), other.successes(20)]);
  await ask(replica, 'CONFIG', 'SET', 'cluster-replica-no-failover', 'no');
  await until('the replica is master', async () => (await ask(replica, 'ROLE')).startsWith('master'));
  // A new master without a replica confirms no write.
  await master.start();
  await Promise.all([here.successes(20), other.successes(20)]);
  const reports = { killed: await here.stop(), other: await other.stop() };
  console.info('a master is killed', reports.killed.statuses, reports.other.statuses);
  expect([reports.killed.wrong, reports.other.wrong]).toEqual([[], []]);
  expect([await here.lost(), await other.lost()]).toEqual([[], []]);
});
