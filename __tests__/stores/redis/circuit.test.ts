import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { redisStore, type RedisStoreOptions } from '../../../adapters/redis/index.ts';
import { RequestTime } from '../../../lib/kernel/request-time.ts';
import type { NewRecord, Store } from '../../../lib/store.ts';
import { type RedisNode, startRedis, until } from '../../helpers/redis.ts';
import { grant, token } from './bare-store.ts';
import { connectTo } from './campus.ts';
import { dump } from './dump.ts';
import { RedisProxy } from './proxy.ts';

const deadline = 200;

let server: RedisNode;
let proxy: RedisProxy;
let client: ReturnType<typeof connectTo>;
beforeEach(async () => {
  server = await startRedis();
  proxy = await RedisProxy.start(server.port);
  client = connectTo(proxy.port);
});
afterEach(async () => {
  client.disconnect();
  await proxy.refuse();
  await server.stop();
});

/** A store that has written once, so that it knows the clock of the server, and what it reported. */
async function open(options: RedisStoreOptions = {}): Promise<Store & { readonly reports: string[] }> {
  const store = redisStore(client, { deadline, ...options });
  const reports: string[] = [];
  store.observe?.((message, cause) => reports.push(`${message}: ${String(cause)}`));
  await until('it has written', async () => (await failure(store.remove('school', 'Session', 'none'))) === none);
  proxy.forget();
  return { ...store, reports };
}

const session = (id: string, length = 1): NewRecord => ({ kind: 'Session', id, record: 'x'.repeat(length), ttl: 60 });
const responds = (store: Store): Promise<void> =>
  until('the store works', async () => (await failure(store.ping())) === none);

const none = 'no failure';

/** What a call rejects with. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => none,
    (error: unknown) => error,
  );
}

function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

describe('while the Redis process is stopped', () => {
  test('20,000 writes leave at most maxPending commands and a probe, and no memory is used up', async () => {
    const store = await open({ maxPending: 100 });
    const before = usedHeap();
    server.freeze();
    for (let i = 0; i < 40; i += 1) {
      const calls = Array.from({ length: 500 }, (_, j) => store.save('school', session(`${i} ${j}`, 10_000)));
      expect((await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled')).toEqual([]);
    }
    // In vain they would take 200 MB.
    expect(usedHeap() - before).toBeLessThan(30 * 1024 * 1024);
    expect(proxy.commands.length).toBeLessThanOrEqual(101);
    server.thaw();
    await responds(store);
    expect(await dump(client)).toEqual([]);
  });

  test('a call beyond maxPending rejects at once, and says why', async () => {
    const store = await open({ maxPending: 2, deadline: 10_000 });
    server.freeze();
    const waiting = [1, 2].map(() => store.find('school', 'Session', 'a'));
    const [first, second] = [await failure(store.ping()), await failure(store.ping())];
    expect(String(first)).toContain('2 commands wait for a reply of Redis (maxPending)');
    // The very same error: it is reported once.
    expect(second).toBe(first);
    server.thaw();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    await store.ping();
  });

  test('after the first deadline calls reject without a command, and one probe notices the recovery', async () => {
    const store = await open();
    server.freeze();
    const error = await failure(store.find('school', 'Session', 'a'));
    expect(String(error)).toContain('Redis did not respond in time (200 ms): calls fail at once until it does');
    await until('a probe is sent', async () => proxy.commands.length > 1);
    for (let i = 0; i < 1000; i += 1) expect(await failure(store.save('school', session('a')))).toBe(error);
    expect(proxy.commands).toEqual([
      ['GET', 'campus:{school}:s:a'],
      ['GET', 'campus:{%}:'],
    ]);
    expect(store.reports).toEqual([`the store refuses calls: ${String(error)}`]);
    server.thaw();
    await responds(store);
    const refused = /the store works again: Error: Redis responds after [\d.]+ m?s; 1\d\d\d calls were refused/;
    expect(store.reports.slice(1)).toEqual([expect.stringMatching(refused)]);
  });

  test('a late call of a request has what is left of its time, and does not make the store refuse others', async () => {
    const store = await open({ deadline: 1000 });
    const time = new RequestTime(1000);
    server.freeze();
    await time.run(async () => {
      // Takes four fifths of the time.
      const early = redisStore(client, { deadline: 800 });
      await time.within(() => failure(early.ping()));
      const late = store.save('school', session('late'));
      expect(String(await failure(time.within(() => late)))).toMatch(/in time|in the time that was left/);
      // A busy machine may have used up all of the time: then nothing is sent.
      expect(String(await failure(late))).toMatch(
        /^Error: (?:Redis did not respond in time|the deadline passed before the command was sent to Redis)$/,
      );
    });
    const patient = redisStore(client, { deadline: 10_000 }).find('school', 'Session', 'late');
    server.thaw();
    expect(await patient).toBeUndefined();
    expect(store.reports).toEqual([]);
  });

  const writes: Record<string, (store: Store, site: string) => Promise<unknown>> = {
    'a session that is saved': (store, site) => store.save(site, session('late')),
    'a client that is saved': (store, site) => store.save(site, { kind: 'Client', id: 'late', record: 'x', ttl: 60 }),
    'an application that is saved': (store, site) =>
      store.save(site, { kind: 'Client', id: 'late', record: 'x', listed: true }),
    'a grant that is saved': (store, site) => store.save(site, grant('late', 60)),
    'a token that is saved': (store, site) => store.save(site, token('AccessToken', 'late', 'g', 60)),
    'a session that is removed': (store, site) => store.remove(site, 'Session', 'kept'),
    'an application that is removed': (store, site) => store.remove(site, 'Client', 'kept'),
    'a grant that is removed': (store, site) => store.remove(site, 'Grant', 'g'),
    'a redemption': (store, site) =>
      store.redeem(site, {
        kind: 'RefreshToken',
        id: 'r',
        grantId: 'g',
        now: 1,
        tokens: [{ kind: 'AccessToken', id: 'late', record: 'x', ttl: 60 }],
        replay: { sealed: 'x', ttl: 60 },
      }),
    'a quota that is used': (store, site) => store.consumeQuota(site, [{ name: 'n', limit: 9 }], 60),
    'a family that ends': (store, site) => store.endFamily(site, 'g', 'f'),
    'a grant that is revoked': (store, site) => store.revoke(site, { memberId: 'sam', grantId: 'g' }),
    'a client that is revoked': (store, site) => store.revoke(site, { clientId: 'app' }),
  };

  test.each(Object.entries(writes))('%s without a reply has not happened afterwards', async (_name, write) => {
    const [store, patient] = [await open(), redisStore(client, { deadline: 10_000 })];
    for (const site of ['school', 'other']) {
      await patient.save(site, session('kept'));
      await patient.save(site, { kind: 'Client', id: 'kept', record: 'x', listed: true });
      await patient.save(site, grant('g', 60));
      await patient.save(site, token('RefreshToken', 'r', 'g', 60));
      await patient.save(site, token('RefreshToken', 'r2', 'g', 60, 'other'));
    }
    const contents = async (): Promise<string[]> =>
      (await dump(client)).flatMap(({ key, text }) => (key.includes('{school}') ? [`${key} ${text}`] : []));
    const kept = await contents();
    const inVain = async (): Promise<void> => {
      server.freeze();
      expect(String(await failure(write(store, 'school')))).toContain('in time');
      server.thaw();
      await responds(store);
      expect(await contents()).toEqual(kept);
    };
    await client.script('FLUSH');
    await inVain();
    // Now the server knows the script.
    await write(patient, 'other');
    await inVain();
    await write(patient, 'school');
    expect(await contents()).not.toEqual(kept);
  });
});
