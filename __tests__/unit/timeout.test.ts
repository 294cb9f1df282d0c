import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MessageChannel } from 'node:worker_threads';
import { Timeout, withTimeout } from '../../lib/kernel/timeout.ts';
import { RequestTime, timeLeft } from '../../lib/kernel/request-time.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const late = (): Error => new Error('late');
const never = (): Promise<never> => new Promise(() => undefined);

describe('withTimeout(work, milliseconds, late)', () => {
  test('resolves with the result of the work, and leaves no timer', async () => {
    expect(await withTimeout(Promise.resolve('done'), 100, late)).toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('rejects with the error of the work, and leaves no timer', async () => {
    await expect(withTimeout(Promise.reject(new Error('broken')), 100, late)).rejects.toThrow('broken');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('rejects with what late() returns once the time is up, and not before', async () => {
    const settled = jest.fn();
    const running = withTimeout(never(), 100, late);
    running.catch(settled);
    await jest.advanceTimersByTimeAsync(99);
    expect(settled).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await jest.advanceTimersByTimeAsync(1);
    await expect(running).rejects.toThrow('late');
  });

  test('what arrives while the process is busy is in time', async () => {
    jest.useRealTimers();
    const { port1, port2 } = new MessageChannel();
    const arrived = new Promise((resolve) => port2.once('message', resolve));
    const running = withTimeout(arrived, 5, late);
    port1.postMessage('reply');
    const end = performance.now() + 50;
    while (performance.now() < end);
    expect(await running).toBe('reply');
    port1.close();
  });

  test('ignores work that rejects after the time is up', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const running = withTimeout(promise, 100, late);
    running.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(101);
    reject(new Error('does not matter'));
    await expect(running).rejects.toThrow('late');
  });
});

describe('new Timeout(milliseconds, late)', () => {
  test('aborts its signal and rejects its calls with one reason when the time is up', async () => {
    const timeout = new Timeout(100, (waiting) => new Error(waiting.join()));
    const reasons = ['one', 'two', ''].map((name) => timeout.within(never(), name).catch((error: unknown) => error));
    const { signal } = timeout;
    await jest.advanceTimersByTimeAsync(99);
    expect(signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(2);
    const [reason, ...others] = await Promise.all(reasons);
    expect(reason).toEqual(new Error('one,two'));
    for (const other of [...others, signal.reason]) expect(other).toBe(reason);
    expect(() => timeout.throwIfAborted()).toThrow('one,two');
  });

  test('ends early with the reason of end(), and leaves no timer', async () => {
    const timeout = new Timeout(100, late);
    const call = timeout.within(never());
    const reason = new Error('disconnected');
    timeout.end(reason);
    timeout.end(new Error('a second reason'));
    await expect(call).rejects.toBe(reason);
    await expect(timeout.within(never())).rejects.toBe(reason);
    expect([timeout.signal.reason, jest.getTimerCount()]).toEqual([reason, 0]);
  });

  test('does not end after clear()', async () => {
    const { signal, clear } = new Timeout(100, late);
    clear();
    await jest.advanceTimersByTimeAsync(1000);
    expect(signal.aborted).toBe(false);
  });

  test('is faster than work that rejects because of its signal', async () => {
    const timeout = new Timeout(100, late);
    const work = new Promise<never>((_resolve, reject) => {
      timeout.signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
    const outcome = timeout.within(work).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(101);
    expect(await outcome).toEqual(late());
  });
});

describe('RequestTime', () => {
  const time = new RequestTime(100);
  const takes = (milliseconds: number) => () => new Promise<void>((resolve) => void setTimeout(resolve, milliseconds));

  /** The seconds that were left to calls of one request which take so many milliseconds, one after the other. */
  async function leftOf(durations: readonly number[]): Promise<unknown[]> {
    const lefts: unknown[] = [];
    const running = time.run(async () => {
      for (const duration of durations) {
        const call = async (): Promise<void> => {
          lefts.push(timeLeft());
          await takes(duration)();
        };
        await time.within(call).catch((error: unknown) => lefts.push(String(error)));
        // What lies between calls does not count.
        await takes(1000)();
      }
    });
    await jest.advanceTimersByTimeAsync(60_000);
    await running;
    return lefts;
  }

  test('the calls of a request share it: first all of it, then what is left, then nothing', async () => {
    const used = 'Error: this request has waited for 100 ms already';
    expect(await leftOf([5, 5, 40, 30, 19.5, 1, 1])).toEqual([undefined, undefined, undefined, 0.05, 0.02, used, used]);
  });

  test('each request has its own, and what belongs to none has no limit', async () => {
    expect(await leftOf([60, 1])).toEqual([undefined, 0.04]);
    expect(await leftOf([60, 1])).toEqual([undefined, 0.04]);
    expect(await time.within(async () => timeLeft())).toBeUndefined();
  });

  test('a call that takes longer than what is left rejects then, and no further one is made', async () => {
    const failure = 'Error: no response in the time that was left to the request';
    expect(await leftOf([60, 500, 1])).toEqual([undefined, 0.04, failure, failure]);
  });

  test('calls at the same time count once, and a run within a request is part of it', async () => {
    const running = time.run(async () => {
      await Promise.all([time.within(takes(30)), time.within(takes(50)), time.within(takes(50))]);
      return time.run(() => time.within(async () => timeLeft()));
    });
    await jest.advanceTimersByTimeAsync(1000);
    expect(await running).toBe(0.05);
  });

  test('when it is used up, calls reject with the error that used it up, and are not made', async () => {
    const failure = new Error('no reply');
    const call = jest.fn(async () => 'made');
    const running = time.run(async () => {
      const failing = async (): Promise<never> => {
        await takes(100)();
        throw failure;
      };
      await time.within(failing).catch(() => undefined);
      return time.within(call).catch((error: unknown) => error);
    });
    await jest.advanceTimersByTimeAsync(1000);
    expect(await running).toBe(failure);
    expect(call).not.toHaveBeenCalled();
  });
});
