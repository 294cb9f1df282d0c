import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { memoryLog } from '../../../adapters/memory/log.ts';
import { LogWriter } from '../../../lib/features/log/stored/writer.ts';
import type { AuditEvent } from '../../../lib/index.ts';
import { newEventId } from '../../../lib/observe/event-id.ts';
import type { LogBound, LogStore, LogWrite } from '../../../lib/records/log.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] }));
afterEach(() => void jest.useRealTimers());

const keep: LogWrite['keep'] = { days: 90, events: { people: 100_000, strangers: 100_000 } };

function event(action: 'consent.given' | 'token.refused', siteId = 'harbour'): AuditEvent {
  const now = Date.now();
  const common = { version: 1, time: new Date(now).toISOString(), eventId: newEventId(now), siteId, action } as const;
  return action === 'consent.given'
    ? { ...common, outcome: 'allowed', actor: { kind: 'member', id: 'sam' }, memberId: 'sam' }
    : { ...common, outcome: 'refused', actor: { kind: 'anonymous' }, reason: 'invalid_grant' };
}

interface Faulty extends LogStore {
  readonly writes: LogWrite[];
  /** The numbers of the calls that fail. */
  readonly failing: Set<number>;
}

/** A store in memory that fails when it is told to, after it has written: as one whose reply was lost. */
function faulty(): Faulty {
  const [inner, writes, failing] = [memoryLog(), [] as LogWrite[], new Set<number>()];
  return {
    ...inner,
    writes,
    failing,
    writeLog: async (write) => {
      writes.push(write);
      await inner.writeLog(write);
      if (failing.has(writes.length)) throw new Error('down');
    },
  };
}

async function stored(store: LogStore, kind: LogBound, siteId = 'harbour'): Promise<number> {
  return (await store.readLog({ siteId, kinds: [kind], limit: 100_000 })).entries.length;
}

test('a flood of strangers pushes out nothing of people, while the store fails three times', async () => {
  const [store, faults] = [faulty(), [] as string[]];
  for (const call of [2, 3, 4]) store.failing.add(call);
  const writer = new LogWriter(store, keep, (message, cause) => faults.push(`${message}: ${String(cause)}`), 3500);
  for (let i = 0; i < 36_600; i += 1) {
    writer.add(event(i % 61 === 0 ? 'consent.given' : 'token.refused'));
    // 6,100 events a second.
    if (i % 610 === 0) await jest.advanceTimersByTimeAsync(100);
  }
  await writer.close();
  expect(await stored(store, 'people')).toBe(600);
  const strangers = await stored(store, 'strangers');
  expect(strangers).toBeGreaterThan(50);
  expect(strangers).toBeLessThan(36_000);
  expect(faults[0]).toMatch(
    /^the log (?:cannot be written; events wait: Error: down|is too slow, and events are lost: Error: lost: 1 of strangers)$/,
  );
  expect(faults.filter((fault) => fault.startsWith('the log cannot be written'))).toHaveLength(1);
  expect(faults.at(-1)).toMatch(/^the log can be written again: Error: lost: \d+ of strangers$/);
  expect(faults.length).toBeLessThan(5);
});

test('what waited is written once, in the order of what matters more', async () => {
  const store = faulty();
  store.failing.add(1);
  const writer = new LogWriter(store, keep, () => {});
  writer.add(event('token.refused'));
  writer.add(event('consent.given'));
  await jest.advanceTimersByTimeAsync(499);
  expect(store.writes).toHaveLength(0);
  await jest.advanceTimersByTimeAsync(1);
  expect(store.writes[0]?.entries?.map(({ kind }) => kind)).toEqual(['people', 'strangers']);
  await jest.advanceTimersByTimeAsync(2000);
  expect(store.writes.map(({ again }) => again)).toEqual([false, true]);
  expect(store.writes[1]?.entries).toEqual(store.writes[0]?.entries);
  expect([await stored(store, 'people'), await stored(store, 'strangers')]).toEqual([1, 1]);
});

test('one school has half of the room, and another finds a place', async () => {
  const store = faulty();
  store.writeLog = async () => Promise.reject(new Error('down'));
  const lost: string[] = [];
  const room = 16 * 40;
  const writer = new LogWriter(store, keep, (message, cause) => lost.push(`${message} ${String(cause)}`), room);
  for (let i = 0; i < 1000; i += 1) writer.add(event('token.refused'));
  await writer.write();
  lost.length = 0;
  writer.add(event('token.refused', 'summit'));
  const written: LogWrite[] = [];
  store.writeLog = async (write) => void written.push(write);
  await writer.write();
  const sites = written.flatMap(({ entries = [] }) => entries.map(({ siteId }) => siteId));
  expect(sites.filter((siteId) => siteId === 'harbour').length).toBeLessThan(40);
  expect(sites.filter((siteId) => siteId === 'summit')).toHaveLength(1);
});

test('500 events are written at once, and no batch has more', async () => {
  const store = faulty();
  const writer = new LogWriter(store, keep, () => {});
  for (let i = 0; i < 1200; i += 1) writer.add(event('consent.given'));
  await writer.write();
  expect(store.writes.map(({ entries }) => entries?.length)).toEqual([500, 500, 200]);
});
