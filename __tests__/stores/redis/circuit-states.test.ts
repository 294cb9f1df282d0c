import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Server } from '../../../adapters/shared/database-server.ts';

/** How the probes of a server end: each is answered when the test says so. */
interface Probe {
  readonly answer: () => void;
  readonly fail: (error: Error) => void;
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function start() {
  const probes: Probe[] = [];
  const reports: string[] = [];
  const errors: unknown[] = [];
  const server = new Server({
    name: 'Redis',
    deadline: 100,
    maxPending: 1,
    isReply: (error) => error instanceof Error && error.name === 'ReplyError',
    probe: () => new Promise<void>((answer, fail) => probes.push({ answer, fail })),
    report: (message, error) => {
      reports.push(message);
      errors.push(error);
    },
  });
  const begin = performance.now();
  jest.advanceTimersByTime(100);
  return { server, probes, reports, errors, begin, refused: server.late(begin, true) };
}

async function send<T>(server: Server, command: () => Promise<T>): Promise<T> {
  server.enter();
  try {
    return await command();
  } finally {
    server.leave();
  }
}
const call = (server: Server): Promise<unknown> => send(server, async () => 'sent').catch((error: unknown) => error);
/** Lets promises settle. */
const settle = (): Promise<unknown> => jest.advanceTimersByTimeAsync(0);

class ReplyError extends Error {
  override readonly name = 'ReplyError';
}

describe('an open circuit', () => {
  test('sends one probe, and passes calls on when it is answered', async () => {
    const { server, probes, reports, refused } = start();
    expect(await Promise.all([call(server), call(server)])).toEqual([refused, refused]);
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(await call(server)).toBe(refused);
    expect(probes).toHaveLength(1);
    probes[0]?.answer();
    await settle();
    expect(await call(server)).toBe('sent');
    expect(reports).toEqual(['the store refuses calls', 'the store works again']);
  });

  test('passes calls on when Redis replies to the probe with an error', async () => {
    const { server, probes } = start();
    probes[0]?.fail(new ReplyError('LOADING Redis is loading the dataset in memory'));
    await settle();
    expect(await call(server)).toBe('sent');
  });

  test('sends a further probe no sooner than a second after one that failed', async () => {
    const { server, probes, reports, refused } = start();
    probes[0]?.fail(new Error('Connection is closed.'));
    await settle();
    for (const [wait, count] of [
      [999, 1],
      [1, 2],
      [5000, 2],
    ] as const) {
      await jest.advanceTimersByTimeAsync(wait);
      expect(await Promise.all([call(server), call(server)])).toEqual([refused, refused]);
      expect(probes).toHaveLength(count);
    }
    probes[1]?.answer();
    await settle();
    expect(await call(server)).toBe('sent');
    expect(reports).toHaveLength(2);
  });

  test('reports no further call that is late', () => {
    const { server, begin, reports, refused } = start();
    expect(server.late(begin, true)).toBe(refused);
    expect(server.late(begin, false)).toBe(refused);
    expect(reports).toEqual(['the store refuses calls']);
  });
});

test.each([
  [1, 40, 'Redis responds after 40 ms; 1 call was refused'],
  [0, 40, 'Redis responds after 40 ms; 0 calls were refused'],
  [3, 2500, 'Redis responds after 2.5 s; 3 calls were refused'],
])('%i refused calls in %i ms are reported', async (calls, milliseconds, message) => {
  const { server, probes, errors } = start();
  for (let i = 0; i < calls; i += 1) await call(server);
  jest.advanceTimersByTime(milliseconds);
  probes[0]?.answer();
  await settle();
  expect(errors.at(-1)).toEqual(new Error(message));
});

test('a call from before the circuit closed does not open it again, a later one does', async () => {
  const { server, probes, begin, reports } = start();
  probes[0]?.answer();
  await jest.advanceTimersByTimeAsync(1);
  server.late(begin, true);
  expect(await call(server)).toBe('sent');
  expect(reports).toHaveLength(2);
  server.late(performance.now(), true);
  expect(await call(server)).toBeInstanceOf(Error);
  expect(reports).toHaveLength(3);
});

test('a full circuit is reported once a second', async () => {
  const { server, probes } = start();
  probes[0]?.answer();
  await settle();
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = send(server, () => promise);
  const first = await call(server);
  expect(String(first)).toContain('1 commands wait for a reply of Redis');
  await jest.advanceTimersByTimeAsync(999);
  expect(await call(server)).toBe(first);
  await jest.advanceTimersByTimeAsync(1);
  expect(await call(server)).not.toBe(first);
  resolve('replied');
  expect([await waiting, await call(server)]).toEqual(['replied', 'sent']);
});
