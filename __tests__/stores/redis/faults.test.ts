import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../../helpers/responses.ts';
import { until } from '../../helpers/redis.ts';
import { type RedisCampus, startRedisCampus } from './campus.ts';
import { type Endpoints, prepareEndpoints } from './endpoints.ts';

const deadline = 150;

let campus: RedisCampus;
let endpoints: Endpoints;
beforeAll(async () => {
  campus = await startRedisCampus({ store: { deadline }, campus: { limits: false } });
  campus.hurry(false);
});
afterAll(() => campus.close());
beforeEach(async () => {
  endpoints = await prepareEndpoints(campus.schools);
  campus.hurry(true);
});
afterEach(async () => {
  campus.hurry(false);
  campus.proxy.mode = 'pass';
  await campus.proxy.listen();
  await campus.admin.replicaof('NO', 'ONE');
  await campus.admin.config('SET', 'maxmemory', '0');
  await healthy();
  expect(await endpoints.succeed()).toEqual([200, 200, 200, 200]);
});

const healthy = (): Promise<void> => until('the store answers', async () => (await campus.schools.campus.health()).ok);

/** Asks an endpoint, which must say that it cannot tell, soon and without a word of why. */
async function expectFault(name: string, within = deadline): Promise<void> {
  const start = performance.now();
  const answer = await endpoints.calls[name]?.run();
  const took = performance.now() - start;
  if (!answer) throw new Error(`no endpoint ${name}`);
  expectError(answer, 503, 'temporarily_unavailable');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect([answer.headers.get('www-authenticate'), answer.headers.get('location')]).toEqual([null, null]);
  expect(JSON.stringify(answer.body)).not.toMatch(/redis|127\.0\.0\.1|ECONN|READONLY|LOADING|OOM|MOVED|ioredis/i);
  // One deadline, and whatever the rest of the request takes on a machine that has other things to do.
  expect({ name, soon: took < within + 3000 }).toEqual({ name, soon: true });
}

async function expectFaults(): Promise<void> {
  for (const name of Object.keys(endpoints.calls)) await expectFault(name);
}

describe('every endpoint is 503 within the deadline, and works again by itself, when', () => {
  test('connections are refused', async () => {
    await campus.proxy.refuse();
    await expectFaults();
    expect(await campus.schools.campus.health()).toMatchObject({ ok: false });
  });

  test('answers do not come', async () => {
    campus.proxy.mode = 'stall';
    await expectFaults();
  });

  test('Redis is paused', async () => {
    // Nothing ends it sooner; all at once, so that the last one is asked while it lasts.
    await campus.admin.client('PAUSE', 4000);
    await Promise.all(Object.keys(endpoints.calls).map(expectFault));
  }, 20_000);

  test('Redis stands still', async () => {
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
    'ERR something that nobody has thought of',
  ])('it says: %s', async (answer) => {
    campus.proxy.mode = { answer };
    await expectFaults();
  });
});

describe('what only reads goes on, and what writes is 503, when', () => {
  const expectReadsOnly = async (): Promise<void> => {
    for (const [name, { access, run }] of Object.entries(endpoints.calls)) {
      if (access === 'writes') await expectFault(name);
      else expect((await run()).status).toBe(200);
    }
  };

  test('Redis has become a replica', async () => {
    await campus.admin.replicaof('127.0.0.1', '1');
    await expectReadsOnly();
  });

  test('Redis is out of memory; a revocation is carried out', async () => {
    await campus.admin.config('SET', 'maxmemory', '1');
    const { revoke: _revoke, ...others } = endpoints.calls;
    endpoints = { ...endpoints, calls: others };
    await expectReadsOnly();
  });
});

test('a connection that breaks before the answer arrives: the second try gets the first answer, and nothing is lost', async () => {
  const broken = ['token, with a refresh token', 'token, with a code', 'userinfo', 'authorize, known browser'];
  for (const name of broken) {
    campus.proxy.mode = 'lose answers';
    const asked = endpoints.calls[name]?.run();
    await until('something was sent', async () => campus.proxy.commands.length > 0);
    campus.proxy.mode = 'pass';
    // ioredis connects again and asks again, all within the deadline.
    expect([200, 303, 503]).toContain((await asked)?.status);
    await healthy();
    campus.proxy.forget();
  }
  campus.hurry(false);
  endpoints = await prepareEndpoints(campus.schools);
});

test('the host’s client is as it was: same options, no listener left behind', async () => {
  await campus.proxy.refuse();
  await Promise.all(Array.from({ length: 50 }, () => expectFault('userinfo')));
  // One of ours, and one of ioredis's own.
  expect(campus.client.listenerCount('ready')).toBeLessThanOrEqual(2);
  await campus.proxy.listen();
  await healthy();
  expect([campus.client.listenerCount('ready'), campus.client.listenerCount('end')]).toEqual([0, 0]);
});
