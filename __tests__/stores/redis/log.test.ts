import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newEventId } from '../../../lib/observe/event-id.ts';
import { type BareStore, startBareStore } from './bare-store.ts';

let bare: BareStore;
beforeAll(async () => {
  bare = await startBareStore();
});
afterAll(() => bare.close());

/** The scripts that the server ran meanwhile. */
async function scriptsOf(work: () => Promise<unknown>): Promise<number> {
  await bare.client.config('RESETSTAT');
  await work();
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await bare.client.info('commandstats'))?.[1] ?? 0);
}

/** All commands that the server ran meanwhile, those within scripts too. */
async function commandsOf(work: () => Promise<unknown>): Promise<number> {
  await bare.client.config('RESETSTAT');
  await work();
  const stats = await bare.client.info('commandstats');
  return [...stats.matchAll(/^cmdstat_(?!config)[^:]+:calls=(\d+)/gm)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
}

const entries = Array.from({ length: 300 }, (_, i) => {
  const kind = i % 3 === 0 ? 'people' : 'strangers';
  return { siteId: `school-${i % 100}`, id: newEventId(Date.now()), kind, member: 'sam', text: '1' } as const;
});
const keep = { days: 90, events: {} };
const list = (by?: { readonly index: 'member'; readonly value: string }) =>
  bare.store.readLog?.({ siteId: 'school-1', kinds: ['people', 'strangers'], by, limit: 50 });

test('a flush is one script for all its schools, and a page is one for each read', async () => {
  // The server learns the scripts and the store its clock.
  await bare.store.writeLog?.({ entries: entries.slice(0, 1), keep });
  expect(await scriptsOf(async () => bare.store.writeLog?.({ entries, keep }))).toBe(1);
  await Promise.all([list(), list({ index: 'member', value: 'sam' })]);
  expect(await scriptsOf(() => Promise.all([list(), list({ index: 'member', value: 'sam' })]))).toBe(2);
});

test('an event is eleven commands at most, and a page hardly more of them in a log that is ten times as long', async () => {
  const eventAt = (i: number) => ({
    siteId: 'long',
    id: newEventId(Date.now()),
    kind: i % 4 === 0 ? ('people' as const) : ('use' as const),
    member: `member ${i % 5}`,
    app: 'claude',
    client: `client ${i % 5}`,
    reference: `reference ${i}`,
    text: '1',
  });
  const writeSome = (count: number): Promise<number> =>
    commandsOf(async () =>
      bare.store.writeLog?.({ entries: Array.from({ length: count }, (_, i) => eventAt(i)), keep }),
    );
  const questions = [
    undefined,
    { index: 'member', value: 'member 1' },
    { index: 'app', value: 'claude' },
    { index: 'client', value: 'client 1' },
  ] as const;
  const costs = async (): Promise<number[]> => {
    const found: number[] = [];
    for (const by of questions)
      found.push(
        await commandsOf(async () => bare.store.readLog?.({ siteId: 'long', kinds: ['people', 'use'], by, limit: 20 })),
      );
    return found;
  };
  // It goes into a stream and four lists, each with its time to live, and now and then a list is cut.
  expect((await writeSome(300)) / 300).toBeLessThan(11);
  await costs();
  const short = await costs();
  for (let i = 0; i < 9; i += 1) await writeSome(300);
  const long = await costs();
  // An entry is one command, and a list that is ten times as long is halved three or four times more.
  for (const [i, cost] of long.entries()) expect(cost - (short[i] ?? 0)).toBeLessThan(20);
  expect(Math.max(...long)).toBeLessThan(80);
});

test('strangers push out nothing of people, and what is silent goes by itself', async () => {
  const id = (): string => newEventId(Date.now());
  const many = Array.from(
    { length: 1000 },
    () => ({ siteId: 'flood', id: id(), kind: 'strangers', app: 'a', text: '1' }) as const,
  );
  await bare.store.writeLog?.({ entries: [{ siteId: 'flood', id: id(), kind: 'people', app: 'a', text: '1' }], keep });
  for (let i = 0; i < many.length; i += 500)
    await bare.store.writeLog?.({ entries: many.slice(i, i + 500), keep: { days: 90, events: { strangers: 200 } } });
  const keys = await bare.client.keys('*{flood}*');
  expect(keys.length).toBeGreaterThan(3);
  for (const key of keys) expect(await bare.client.ttl(key)).toBeGreaterThan(0);
  const ofPeople = await bare.store.readLog?.({
    siteId: 'flood',
    kinds: ['people'],
    by: { index: 'app', value: 'a' },
    limit: 10,
  });
  expect(ofPeople?.entries).toHaveLength(1);
  // A stream is cut by whole nodes of 100 entries.
  const stream = keys.find((key) => key.endsWith(':L:3')) ?? '';
  expect(await bare.client.xlen(stream)).toBeLessThan(400);
});

test('there is no order of writing, and the error names what has one', async () => {
  await expect(bare.store.readLog?.({ after: '', limit: 1 })).rejects.toThrow(
    'storedLog({ store: postgresLog(pool) })',
  );
});
