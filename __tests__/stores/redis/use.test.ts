import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type BareStore, grant, startBareStore } from './bare-store.ts';

let bare: BareStore;
beforeAll(async () => {
  bare = await startBareStore();
});
afterAll(() => bare.close());

/** The number of calls of each command, those of scripts included. */
async function commandsOf<T>(work: () => Promise<T>): Promise<{ result: T; commands: Record<string, number> }> {
  await bare.client.config('RESETSTAT');
  const result = await work();
  const lines = (await bare.client.info('commandstats')).matchAll(/cmdstat_([a-z|]+):calls=(\d+)/g);
  const counts = [...lines].map(([, name = '', calls]) => [name, Number(calls)] as const);
  return { result, commands: Object.fromEntries(counts.filter(([name]) => !name.startsWith('config'))) };
}

/** As many clients, each with one person, and one app with all of them as its clients. */
async function fill(clients: number): Promise<void> {
  await bare.client.flushall();
  for (let from = 0; from < clients; from += 200) {
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const [id, client] = [`g${from + i}`, `client ${from + i}`];
        await bare.store.save('school', grant(id, 600, `member ${from + i}`, client));
        await bare.store.save('school', {
          ...grant(`of ${id}`, 600, `member ${from + i}`, `own ${client}`),
          app: 'code',
        });
      }),
    );
  }
}

describe.each([400, 5000])('with %d clients', (clients) => {
  beforeAll(async () => {
    await fill(clients);
    // From here on the server has the scripts.
    await bare.store.clientsByUse('school', { limit: 1 });
  });

  test('a page of clients by use takes two scripts and a look at each of the page', async () => {
    const first = await commandsOf(() => bare.store.clientsByUse('school', { limit: 20 }));
    expect(first.result.entries[0]).toEqual({ app: 'code', grants: clients });
    expect(first.result.entries).toHaveLength(20);
    expect(first.commands).toEqual({ evalsha: 2, zrevrange: 1, zcount: 20 });
    // The place among those with as many is looked for by halves.
    const after = first.result.next ?? '';
    const second = await commandsOf(() => bare.store.clientsByUse('school', { after, limit: 20 }));
    expect(second.result.entries).toHaveLength(20);
    expect(second.commands).toEqual({ evalsha: 2, zcount: 22, zrevrange: expect.any(Number) });
    expect(second.commands['zrevrange']).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(clients)));
  });

  test('a page of the grants to an app takes one script and a look at each of the page', async () => {
    const { result, commands } = await commandsOf(() => bare.store.grantsOf('school', { app: 'code', limit: 20 }));
    expect(result.entries).toHaveLength(20);
    expect(commands).toEqual({ evalsha: 1, zrevrange: 1, get: 20 });
  });
});

describe('when grants expire', () => {
  beforeEach(() => bare.client.flushall());

  const use = 'campus:{school}:X:use';
  const listed = (): Promise<string[]> => bare.client.zrange(use, '0', '-1', 'WITHSCORES');

  test('who reads the order corrects it', async () => {
    for (const [id, client] of [
      ['1', 'quiz'],
      ['2', 'quiz'],
      ['3', 'timer'],
      ['4', 'over'],
    ] as const)
      await bare.store.save('school', grant(id, 600, `member ${id}`, client));
    // As if their second had passed.
    for (const [id, list] of [
      ['1', 'x:quiz'],
      ['4', 'x:over'],
    ] as const)
      await bare.client.zadd(`campus:{school}:${list}`, 1, id);
    expect(await listed()).toEqual(['over', '1', 'timer', '1', 'quiz', '2']);
    const expected = ['timer', 'quiz'].map((clientId) => ({ clientId, grants: 1 }));
    const { entries } = await bare.store.clientsByUse('school', { limit: 10 });
    expect(entries).toHaveLength(2);
    expect(entries).toEqual(expect.arrayContaining(expected));
    expect(await listed()).toEqual(['quiz', '1', 'timer', '1']);
    const again = await commandsOf(() => bare.store.clientsByUse('school', { limit: 10 }));
    expect(again.commands).toEqual({ evalsha: 2, zrevrange: 1, zcount: 2 });
  });

  test('the order lives as long as the longest-lived grant of the school', async () => {
    await bare.store.save('school', grant('a', 5000, 'sam', 'quiz'));
    await bare.store.save('school', grant('b', 100, 'sam', 'timer'));
    expect(await bare.left('X:use')).toBe(5005);
    await bare.store.save('school', grant('b', 20_000, 'sam', 'timer'));
    expect(await bare.left('X:use')).toBe(20_005);
    await bare.store.save('school', grant('c', undefined, 'sam', 'endless'));
    expect(await bare.left('X:use')).toBe(-1);
    await bare.store.save('school', grant('d', 100, 'sam', 'timer'));
    expect(await bare.left('X:use')).toBe(-1);
  });
});
