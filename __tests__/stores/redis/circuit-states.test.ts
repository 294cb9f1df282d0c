import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Circuit } from '../../../adapters/redis/circuit.ts';

/** How the probes of a circuit end: each is answered when the test says so. */
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
  const circuit = new Circuit({
    name: 'Redis',
    deadline: 100,
    maxPending: 1,
    probe: () => new Promise<void>((answer, fail) => probes.push({ answer, fail })),
    report: (message) => reports.push(message),
  });
  const begin = performance.now();
  jest.advanceTimersByTime(100);
  return { circuit, probes, reports, begin, refused: circuit.late(begin, true) };
}

const call = (circuit: Circuit): Promise<unknown> => circuit.send(async () => 'sent').catch((error: unknown) => error);
/** Lets promises settle. */
const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

class ReplyError extends Error {
  override readonly name = 'ReplyError';
}

describe('an open circuit', () => {
  test('sends one probe, and passes calls on when it is answered', async () => {
    const { circuit, probes, reports, refused } = start();
    expect(await Promise.all([call(circuit), call(circuit)])).toEqual([refused, refused]);
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(await call(circuit)).toBe(refused);
    expect(probes).toHaveLength(1);
    probes[0]?.answer();
    await settle();
    expect(await call(circuit)).toBe('sent');
    expect(reports).toEqual(['the store refuses calls', 'the store works again']);
  });

  test('passes calls on when Redis replies to the probe with an error', async () => {
    const { circuit, probes } = start();
    probes[0]?.fail(new ReplyError('LOADING Redis is loading the dataset in memory'));
    await settle();
    expect(await call(circuit)).toBe('sent');
  });

  test('sends a further probe no sooner than a second after one that failed', async () => {
    const { circuit, probes, reports, refused } = start();
    probes[0]?.fail(new Error('Connection is closed.'));
    await settle();
    for (const [wait, count] of [
      [999, 1],
      [1, 2],
      [5000, 2],
    ] as const) {
      await jest.advanceTimersByTimeAsync(wait);
      expect(await Promise.all([call(circuit), call(circuit)])).toEqual([refused, refused]);
      expect(probes).toHaveLength(count);
    }
    probes[1]?.answer();
    await settle();
    expect(await call(circuit)).toBe('sent');
    expect(reports).toHaveLength(2);
  });

  test('reports no further call that is late', () => {
    const { circuit, begin, reports, refused } = start();
    expect(circuit.late(begin, true)).toBe(refused);
    expect(circuit.late(begin, false)).toBe(refused);
    expect(reports).toEqual(['the store refuses calls']);
  });
});

test('a call from before the circuit closed does not open it again, a later one does', async () => {
  const { circuit, probes, begin, reports } = start();
  probes[0]?.answer();
  await jest.advanceTimersByTimeAsync(1);
  circuit.late(begin, true);
  expect(await call(circuit)).toBe('sent');
  expect(reports).toHaveLength(2);
  circuit.late(performance.now(), true);
  expect(await call(circuit)).toBeInstanceOf(Error);
  expect(reports).toHaveLength(3);
});

test('a full circuit is reported once a second', async () => {
  const { circuit, probes } = start();
  probes[0]?.answer();
  await settle();
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = circuit.send(() => promise);
  const first = await call(circuit);
  expect(String(first)).toContain('1 commands wait for a reply of Redis');
  await jest.advanceTimersByTimeAsync(999);
  expect(await call(circuit)).toBe(first);
  await jest.advanceTimersByTimeAsync(1);
  expect(await call(circuit)).not.toBe(first);
  resolve('replied');
  expect([await waiting, await call(circuit)]).toEqual(['replied', 'sent']);
});
