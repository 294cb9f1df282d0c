import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../helpers/redis.ts';
import { type RedisCampus, startRedisCampus } from './campus.ts';
import { type Endpoints, expectFault, prepareEndpoints } from './endpoints.ts';

const deadline = 150;

let campus: RedisCampus;
let endpoints: Endpoints;
beforeAll(async () => {
  campus = await startRedisCampus({ store: { deadline }, campus: { limits: false } });
  campus.useShortDeadline(false);
});
afterAll(() => campus.close());
beforeEach(async () => {
  endpoints = await prepareEndpoints(campus.schools);
  campus.useShortDeadline(true);
});
afterEach(async () => {
  campus.useShortDeadline(false);
  campus.proxy.mode = 'pass';
  await campus.proxy.listen();
  await campus.admin.replicaof('NO', 'ONE');
  await campus.admin.config('SET', 'maxmemory', '0', 'min-replicas-to-write', '0', 'save', '');
  await healthy();
  expect(await endpoints.succeed()).toEqual([200, 200, 200, 200]);
});

const healthy = (): Promise<void> => until('the store responds', async () => (await campus.schools.campus.health()).ok);

async function expectFaultAt(name: string): Promise<void> {
  expectFault(await endpoints.calls[name]?.run(), /redis|READONLY|LOADING|OOM|MOVED|NOREPLICAS|MISCONF/i);
}

async function expectFaults(): Promise<void> {
  for (const name of Object.keys(endpoints.calls)) await expectFaultAt(name);
}

describe('every endpoint returns 503 within the deadline, and recovers by itself, when', () => {
  test('connections are refused', async () => {
    await campus.proxy.refuse();
    await expectFaults();
    expect(await campus.schools.campus.health()).toMatchObject({ ok: false });
  });

  test('Redis does not reply', async () => {
    campus.proxy.mode = 'stall';
    await expectFaults();
  });

  test('Redis is paused', async () => {
    // All at once: the pause cannot be ended early, and the last call must fall into it.
    await campus.admin.client('PAUSE', 4000);
    await Promise.all(Object.keys(endpoints.calls).map(expectFaultAt));
  });

  test('the Redis process is stopped', async () => {
    campus.server.freeze();
    await expectFaults();
    campus.server.thaw();
  });

  test.each([
    'READONLY You can not write against a read only replica.',
    'LOADING Redis is loading the dataset in memory',
    'OOM command not allowed when used memory > maxmemory.',
    'CLUSTERDOWN The cluster is down',
    'MOVED 1234 10.0.0.1:6379',
    'ASK 1234 10.0.0.1:6379',
    'TRYAGAIN Multiple keys request during rehashing of slot',
    'MISCONF Redis is configured to save RDB snapshots',
    'NOREPLICAS Not enough good replicas to write.',
    'BUSY Redis is busy running a script.',
    'MASTERDOWN Link with MASTER is down',
    'NOAUTH Authentication required.',
    'NOPERM this user has no permissions to run this command',
    'WRONGTYPE Operation against a key holding the wrong kind of value',
    'ERR an unknown error',
  ])('Redis replies: %s', async (reply) => {
    campus.proxy.mode = { reply };
    await expectFaults();
  });
});

describe('endpoints that only read work, those that write return 503, and the store refuses no calls, when', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['Redis has become a replica', () => campus.admin.replicaof('127.0.0.1', '1')],
    ['Redis has too few replicas', () => campus.admin.config('SET', 'min-replicas-to-write', '1')],
    ['Redis is out of memory; a revocation still works', () => campus.admin.config('SET', 'maxmemory', '1')],
    ['Redis cannot save', failToSave],
  ])('%s', async (reason, refuseWrites) => {
    // What is refused is refused at once. A busy machine must not be late: that is another fault, which is for all calls.
    campus.useShortDeadline(false);
    const { faults } = campus.schools;
    faults.length = 0;
    await refuseWrites();
    for (const [name, { access, run }] of Object.entries(endpoints.calls)) {
      if (name === 'revoke' && reason.includes('revocation')) continue;
      if (access === 'writes') await expectFaultAt(name);
      else expect([name, (await run()).status]).toEqual([name, 200]);
    }
    expect(await campus.schools.campus.health()).toMatchObject({ ok: true });
    expect(faults.map(({ message }) => message)).not.toContain('the store refuses calls');
  });

  /** Its directory is gone: then it writes nothing that it could not save. */
  async function failToSave(): Promise<void> {
    const [, dir = ''] = await campus.admin.config('GET', 'dir');
    rmSync(dir, { recursive: true });
    await campus.admin.config('SET', 'save', '3600 1');
    await campus.admin.bgsave();
    await until('the save has failed', async () =>
      (await campus.admin.info('persistence')).includes('rdb_last_bgsave_status:err'),
    );
  }
});

test('a connection that breaks before the reply: a second try gets the first response, and nothing is lost', async () => {
  const broken = ['token, with a refresh token', 'token, with a code', 'userinfo', 'authorize, known browser'];
  for (const name of broken) {
    campus.proxy.mode = 'lose replies';
    const response = endpoints.calls[name]?.run();
    await until('something was sent', async () => campus.proxy.commands.length > 0);
    campus.proxy.mode = 'pass';
    // ioredis reconnects and sends the command again, all within the deadline.
    expect([200, 303, 503]).toContain((await response)?.status);
    await healthy();
    campus.proxy.forget();
  }
  campus.useShortDeadline(false);
  endpoints = await prepareEndpoints(campus.schools);
});

test('the client of the host is unchanged: no listener is left behind', async () => {
  await campus.proxy.refuse();
  await Promise.all(Array.from({ length: 50 }, () => expectFaultAt('userinfo')));
  // One of the store and one of ioredis itself.
  expect(campus.client.listenerCount('ready')).toBeLessThanOrEqual(2);
  await campus.proxy.listen();
  await healthy();
  expect([campus.client.listenerCount('ready'), campus.client.listenerCount('end')]).toEqual([0, 0]);
});

test('an outage is two faults, however many requests are refused', async () => {
  const { faults } = campus.schools;
  campus.server.freeze();
  faults.length = 0;
  await expectFaults();
  await Promise.all(Array.from({ length: 200 }, () => expectFaultAt('userinfo')));
  const error = expect.objectContaining({ message: expect.stringContaining('did not respond in time (150 ms)') });
  expect(faults).toEqual([{ message: 'the store refuses calls', cause: error }]);
  campus.server.thaw();
  await healthy();
  await until('the recovery is reported', async () => faults.length > 1);
  const recovery = expect.objectContaining({ message: expect.stringMatching(/^Redis responds after .* refused$/) });
  expect(faults.slice(1)).toEqual([{ message: 'the store works again', cause: recovery }]);
});
