import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisStore } from '../../../adapters/redis/index.ts';
import { countEvents } from '../../../adapters/redis/log-size.ts';
import { readRedisOptions } from '../../../adapters/redis/options.ts';
import { neededCommands } from '../../../adapters/redis/rights.ts';
import { createCampus, type Finding } from '../../../lib/index.ts';
import { newEventId } from '../../../lib/observe/event-id.ts';
import { fakePlatform } from '../../../lib/testing/index.ts';
import { resetClock, setClockAhead } from '../../helpers/clock.ts';
import { signingKey } from '../../helpers/keys.ts';
import { type RedisNode, startRedis } from '../../helpers/redis.ts';
import { documentedRules } from './documented-rules.ts';

let server: RedisNode;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis(['--appendonly', 'yes', '--maxmemory', '64mb']);
  redis = new Redis(server.port, { enableAutoPipelining: true });
  redis.on('error', () => undefined);
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

async function idsOf(client: Redis = redis, options?: Parameters<typeof redisStore>[1]): Promise<string[]> {
  const findings = await redisStore(client, options).diagnose?.();
  return (findings ?? []).map(({ id }) => id);
}

test('nothing is found on a good server', async () => {
  expect(await idsOf()).toEqual([]);
});

test.each([
  ['redis-eviction', 'maxmemory-policy', 'allkeys-lru', 'noeviction'],
  ['redis-maxmemory', 'maxmemory', '0', '64mb'],
  ['redis-memory', 'maxmemory', '1000kb', '64mb'],
  ['redis-persistence', 'appendonly', 'no', 'yes'],
])('%s, if %s is %s', async (id, name, wrong, right) => {
  await redis.config('SET', name, wrong);
  const ids = await idsOf();
  await redis.config('SET', name, right);
  expect(ids).toEqual([id]);
});

test('redis-clock: a clock three hours off', async () => {
  setClockAhead(-3 * 60 * 60);
  const findings = await redisStore(redis).diagnose?.();
  resetClock();
  expect(findings).toMatchObject([{ id: 'redis-clock', severity: 'error' }]);
  expect(findings?.[0]?.text).toMatch(/is 1\d{4} seconds ahead of that of this process/);
});

test('redis-durability: fewer replicas than must confirm', async () => {
  expect(await idsOf(redis, { durability: { replicas: 1, timeout: 100 } })).toEqual(['redis-durability']);
});

test('redis-replica, and a client that nobody listens to and that gives up', async () => {
  await redis.replicaof('127.0.0.1', 1);
  const bare = new Redis(server.port, { retryStrategy: () => null });
  expect(await idsOf(bare)).toEqual(['redis-replica', 'redis-errors', 'redis-reconnect', 'redis-pipelining']);
  bare.disconnect();
  await redis.replicaof('NO', 'ONE');
});

test('redis-unreachable: a server that is not there, within the deadline', async () => {
  const away = new Redis(1, { lazyConnect: true, enableAutoPipelining: true });
  away.on('error', () => undefined);
  expect(await idsOf(away, { deadline: 100 })).toEqual(['redis-unreachable']);
  away.disconnect();
});

/** A client of a server that replies as nothing that can be started here does. */
function clientOf(call: (name: string, ...args: unknown[]) => Promise<unknown>): Parameters<typeof redisStore>[0] {
  return { status: 'ready', call, pipeline: () => redis.pipeline(), once: () => 0, removeListener: () => 0 };
}

const time = (): unknown => [Math.floor(Date.now() / 1000), 0];

test('redis-version, redis-disk and redis-slots, as an old and a broken server reports them', async () => {
  const replies: Record<string, () => unknown> = {
    INFO: () => 'redis_version:6.0.16\r\nmaxmemory:1\r\nused_memory:0\r\naof_last_write_status:err\r\n',
    CLUSTER: () => 'cluster_state:fail\r\ncluster_slots_ok:16000\r\n',
    TIME: time,
    // It has no function that says what a user may do.
    EVALSHA: () => null,
  };
  const client = { ...clientOf(async (name) => replies[name]?.()), slots: [] };
  const findings = await redisStore(client).diagnose?.();
  expect(findings?.map(({ id }) => id)).toEqual(['redis-version', 'redis-disk', 'redis-slots', 'redis-uninspected']);
});

/** An old server, to which nothing is written, with 2 million keys, whose scan finds a stream of 300 events in each step, and goes on or ends. */
function serverWithLog(next: '0' | '7'): Parameters<typeof redisStore>[0] {
  let step = 0;
  const replies: Record<string, () => unknown> = {
    INFO: () => 'redis_version:6.0.16\r\nmaxmemory:1\r\nused_memory:0\r\n',
    TIME: time,
    EVALSHA: () => null,
    SCAN: () => [next, [`campus:{school-${(step += 1)}}:L:1`]],
    XLEN: () => 300,
    DBSIZE: () => 2_000_000,
  };
  return clientOf(async (name) => replies[name]?.());
}

test('redis-log-large: the events of some keys stand for those of all', async () => {
  const findings = await redisStore(serverWithLog('7')).diagnose?.();
  expect(findings?.find(({ id }) => id === 'redis-log-large')).toMatchObject({
    severity: 'info',
    text: 'the log has about 1.2 million events in memory',
  });
  const all = await redisStore(serverWithLog('0')).diagnose?.();
  expect(all?.map(({ id }) => id)).not.toContain('redis-log-large');
});

test('in a cluster the events of a master stand for its own keys', async () => {
  // All of a school is on one master, and the log of one that uses apps much may fill it.
  const [full, quiet] = [serverWithLog('7'), serverWithLog('0')];
  const cluster = { ...full, nodes: () => [full, quiet] };
  // 50 steps with 300 events each, and 2 million keys; and a master with one stream.
  expect(await countEvents(cluster, readRedisOptions(redis, {}))).toBe(50 * 300 * (2_000_000 / 25_000) + 300);
});

test('the events of a log are counted, by kind and school', async () => {
  const entries = ['rope', 'harbour'].flatMap((siteId) =>
    (['school', 'people', 'people', 'named'] as const).map((kind) => ({
      siteId,
      id: newEventId(Date.now()),
      kind,
      member: 'sam',
      text: '1',
    })),
  );
  await redisStore(redis).writeLog?.({ entries, keep: { days: 90, events: {} } });
  expect(await countEvents(redis, readRedisOptions(redis, {}))).toBe(8);
  await redis.flushall();
});

test.each([
  ["ERR Error running script: The user executing the script can't run this command or subcommand", 'redis-rights'],
  ['NOPERM this user has no permissions to access one of the keys used as arguments', 'redis-rights'],
  [
    "ERR Error running script: @user_script: 35: -READONLY You can't write against a read only replica.",
    'redis-read-only',
  ],
  ['LOADING Redis is loading the dataset in memory', 'redis-unreachable'],
])('Redis 6.2, which replies to a write: %s', async (reply, id) => {
  const client = clientOf(async (name, _script, keys) => {
    if (name !== 'EVALSHA') return name === 'TIME' ? time() : 'redis_version:6.2.1\r\nmaxmemory:1\r\nused_memory:0\r\n';
    if (keys === 0) return null;
    throw new Error(reply);
  });
  expect(await redisStore(client).diagnose?.()).toMatchObject([
    { id: 'redis-uninspected' },
    { id, text: expect.stringContaining(reply) },
  ]);
});

describe('the rights of its user', () => {
  /** What is found as a user with these rules. */
  async function foundAs(rules: readonly string[], options?: Parameters<typeof redisStore>[1]): Promise<Finding[]> {
    await redis.call('ACL', 'SETUSER', 'limited', 'reset', 'on', '>password', ...rules);
    const client = new Redis(server.port, {
      username: 'limited',
      password: 'password',
      enableAutoPipelining: true,
      enableReadyCheck: false,
    });
    client.on('error', () => undefined);
    const findings = await redisStore(client, options).diagnose?.();
    client.disconnect();
    return [...(findings ?? [])];
  }

  test('nothing is found with the rules of docs/operate/redis.md', async () => {
    expect(await foundAs(documentedRules)).toEqual([]);
  });

  test('redis-uninspected: without INFO and TIME, the rest is still looked at', async () => {
    const findings = await foundAs([...documentedRules, '-info', '-time']);
    expect(findings).toMatchObject([
      { id: 'redis-uninspected', severity: 'info', text: expect.stringMatching(/^Redis refuses INFO: NOPERM .*info/) },
      { id: 'redis-uninspected', text: expect.stringMatching(/^Redis refuses TIME: NOPERM .*time/) },
      { id: 'redis-rights', severity: 'error', text: expect.stringContaining('may not run TIME on') },
    ]);
  });

  test('redis-read-only: without INFO, a replica and a master without enough replicas show, too', async () => {
    const rules = [...documentedRules, '-info'];
    await redis.config('SET', 'min-replicas-to-write', '1');
    const lonely = await foundAs(rules);
    await redis.config('SET', 'min-replicas-to-write', '0');
    await redis.replicaof('127.0.0.1', 1);
    const replica = await foundAs(rules);
    await redis.replicaof('NO', 'ONE');
    expect(lonely[1]).toMatchObject({ id: 'redis-read-only', text: expect.stringContaining('NOREPLICAS') });
    expect(replica[1]).toMatchObject({ id: 'redis-read-only', text: expect.stringContaining('READONLY') });
  });

  test.each([
    [
      'may not script',
      ['-eval', '-evalsha'],
      /^the user of the client may not run scripts; it needs \+eval \+evalsha: NOPERM/,
    ],
    ['may not script with a text', ['-eval'], /may not run scripts|may not run EVAL on/],
    [
      'may not delete',
      ['-del', '-hdel'],
      / may not run DEL, HDEL on the keys campus:\*; it needs ~campus:\* \+del \+hdel$/,
    ],
    ['may not write', ['-@write'], / may not run SET, DEL, INCR, .*; it needs ~campus:\* \+set \+del \+incr /],
    ['has other keys', ['resetkeys', '~other:*'], / may not read and write the keys campus:\*; it needs ~campus:\*$/],
    ['may only read its keys', ['resetkeys', '%R~campus:*'], / may not read and write the keys campus:\*; it needs ~/],
  ])('redis-rights: it %s', async (_what, rules, text) => {
    const findings = await foundAs([...documentedRules, ...rules]);
    expect(findings[0]).toMatchObject({ id: 'redis-rights', severity: 'error', text: expect.stringMatching(text) });
  });

  test('redis-rights: a replica must confirm, and it may not wait for that', async () => {
    const findings = await foundAs([...documentedRules, '-wait'], { durability: { replicas: 1, timeout: 100 } });
    expect(findings.find(({ id }) => id === 'redis-rights')?.text).toContain('may not run WAIT on');
    expect(await foundAs([...documentedRules, '-wait'])).toEqual([]);
  });

  test('a user who may not delete is not healthy, which says where to look', async () => {
    await redis.call('ACL', 'SETUSER', 'limited', 'reset', 'on', '>password', ...documentedRules);
    const client = new Redis(server.port, { username: 'limited', password: 'password' });
    const platform = fakePlatform({ schools: [], people: {} });
    const keys = { signing: [await signingKey('now')], cookies: ['p0Yl2mLrT8xqWcVb5nKz7sHd3fGj9aEu'] };
    const campus = createCampus({ platform, keys, store: redisStore(client) });
    campus.events.on('fault', () => undefined);
    expect(await campus.health({ write: true })).toMatchObject({ ok: true });
    expect(await redis.keys('*')).toEqual(['campus:{%}:f:shared']);
    await redis.call('ACL', 'SETUSER', 'limited', '-del');
    expect(await campus.health({ write: true })).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/can't run this command .* campus\.diagnose\(\) names the commands/),
    });
    client.disconnect();
    await redis.flushall();
  });

  test('redis-upkeep: it may not do what removes a school', async () => {
    const findings = await foundAs([...documentedRules, '-scan', '-unlink']);
    expect(findings).toMatchObject([{ id: 'redis-upkeep', severity: 'warning' }]);
    expect(findings[0]?.text).toContain('may not run SCAN, UNLINK on');
  });

  test('all commands that the store sends are among those that are looked at', () => {
    const folder = join(import.meta.dirname, '../../../adapters/redis');
    const code = globSync('**/*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
    const sent = code.flatMap((text) => [...text.matchAll(/(?:call|command)\(\s*'([A-Z]+)'/g)].map(([, name]) => name));
    const needed = Object.values(neededCommands).flat();
    expect(new Set([...sent, 'EVALSHA'])).toEqual(new Set([...needed, 'PING']));
    expect(documentedRules.toSorted()).toEqual(
      [...needed, 'INFO', 'PING', 'CLIENT', 'HELLO']
        .map((name) => `+${name.toLowerCase()}`)
        .concat('~campus:*', '-@all')
        .toSorted(),
    );
  });
});
