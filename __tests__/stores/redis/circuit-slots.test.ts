import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { redisStore } from '../../../adapters/redis/index.ts';
import type { Argument, RedisClient, RedisPipeline } from '../../../adapters/redis/options.ts';
import { ownerOf } from '../../../adapters/redis/servers.ts';
import type { Store } from '../../../lib/store.ts';
import { until } from '../../helpers/redis.ts';

const [one, other] = ['10.0.0.1:6379', '10.0.0.2:6379'];

/** Each slot with its number as its owner. */
const numbered = Array.from({ length: 16_384 }, (_, slot) => [String(slot)]);

/** A cluster whose slots move and whose servers hang at a word. */
class FakeCluster extends EventEmitter implements RedisClient {
  readonly status = 'ready';
  readonly slots: string[][] = Array.from({ length: 16_384 }, (_, slot) => [slot < 8192 ? one : other]);
  readonly hanging = new Set<string>();
  /** The server of each command. */
  readonly asked: string[] = [];
  readonly #waiting: { readonly key: string; server: string; readonly reply: () => void }[] = [];

  async call(command: string, ...args: Argument[]): Promise<unknown> {
    const key = String(args[command.startsWith('EVAL') ? 2 : 0]);
    const server = ownerOf(this.slots, key);
    this.asked.push(server);
    if (this.hanging.has(server)) {
      await new Promise<void>((resolve) => this.#waiting.push({ key, server, reply: resolve }));
    }
    return null;
  }

  pipeline(): RedisPipeline {
    throw new Error('not used');
  }

  /** Moves the slot of a key. */
  move(key: string, to: string): void {
    this.slots[Number(ownerOf(numbered, key))] = [to];
  }

  /** A server replies to what it was asked; the client asks the new server of a slot that has moved. */
  wake(server: string): void {
    this.hanging.delete(server);
    for (const command of this.#waiting.splice(0)) {
      if (command.server === server) command.server = ownerOf(this.slots, command.key);
      if (this.hanging.has(command.server)) this.#waiting.push(command);
      else command.reply();
    }
  }
}

const keyOf = (site: string): string => `campus:{${site}}:`;

let cluster: FakeCluster;
let store: Store;
let reports: string[];
/** Sites of the first server. */
let sites: string[];
let elsewhere: string;
beforeEach(() => {
  cluster = new FakeCluster();
  store = redisStore(cluster, { deadline: 50 });
  reports = [];
  store.observe?.((message, cause) => reports.push(`${message}: ${String(cause)}`));
  const all = Array.from({ length: 20 }, (_, i) => `school-${i}`);
  const at = (server: string): string[] => all.filter((site) => ownerOf(cluster.slots, keyOf(site)) === server);
  sites = at(one);
  elsewhere = at(other)[0] ?? '';
});

const works = (site = ''): Promise<boolean> =>
  store.find(site, 'Session', 'a').then(
    () => true,
    () => false,
  );

describe('after the slot of the first school of a server has moved to another one', () => {
  test('the circuit stays open while the server hangs, although the other one replies', async () => {
    const [first, second] = sites;
    expect([await works(first), await works(second)]).toEqual([true, true]);
    cluster.move(keyOf(first ?? ''), other);
    cluster.hanging.add(one);
    expect(await works(second)).toBe(false);
    const before = cluster.asked.length;
    for (let i = 0; i < 50; i += 1) expect([await works(second), await works(first)]).toEqual([false, true]);
    expect(reports).toEqual([expect.stringContaining(`Redis at ${one} did not respond in time`)]);
    // One of each pair was refused without a command.
    expect(cluster.asked.slice(before)).toEqual(Array.from({ length: 50 }, () => other));
    cluster.wake(one);
    await until('it works again', () => works(second));
    expect(reports[1]).toContain(`Redis at ${one} responds`);
  });

  test('the circuit closes when the server responds, although the other one hangs', async () => {
    const [first, second] = sites;
    await works(first);
    cluster.hanging.add(one);
    expect([await works(second), await works(second)]).toEqual([false, false]);
    cluster.move(keyOf(first ?? ''), other);
    cluster.hanging.add(other);
    cluster.wake(one);
    await until('it works again', () => works(second));
    expect(reports[1]).toContain(`Redis at ${one} responds`);
    expect([await works(first), await works(elsewhere)]).toEqual([false, false]);
  });

  test('a probe that the client took along to a server that hangs is replaced', async () => {
    const [first, second] = sites;
    cluster.hanging.add(one);
    expect(await works(first)).toBe(false);
    cluster.move(keyOf(first ?? ''), other);
    cluster.hanging.add(other);
    cluster.wake(one);
    await until('it works again', () => works(second));
    expect(reports[1]).toContain(`Redis at ${one} responds`);
  });

  test('a reply of the new server to a probe closes nothing', async () => {
    const [first, second] = sites;
    cluster.hanging.add(one);
    expect(await works(first)).toBe(false);
    cluster.move(keyOf(first ?? ''), other);
    cluster.wake(one);
    cluster.hanging.add(one);
    for (let i = 0; i < 20; i += 1) expect(await works(second)).toBe(false);
    expect(reports).toHaveLength(1);
  });
});

test('the circuit of a server without slots is dropped, and reported', async () => {
  const [first] = sites;
  cluster.hanging.add(one);
  expect(await works(first)).toBe(false);
  for (const slot of cluster.slots.keys()) cluster.slots[slot] = [other];
  await until('it is dropped', async () => (await works(first)) && reports.length > 1);
  expect(reports[1]).toContain(`Redis at ${one} is no longer asked`);
});
