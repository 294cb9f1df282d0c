import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MessageChannel } from 'node:worker_threads';
import { startTimeout } from '../../lib/runtime/shared-timeout.ts';
import { RequestTime, timeLeft, withTimeout } from '../../lib/runtime/timeout.ts';

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

describe('startTimeout(milliseconds, late)', () => {
  test('aborts its signal and rejects with one reason when the time is up', async () => {
    const { signal, ended } = startTimeout(100, late);
    await jest.advanceTimersByTimeAsync(99);
    expect(signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    const reason: unknown = await ended.catch((error: unknown) => error);
    expect(reason).toEqual(late());
    expect(signal.reason).toBe(reason);
  });

  test('ends early with the reason of end(), and leaves no timer', async () => {
    const { signal, ended, end } = startTimeout(100, late);
    const reason = new Error('disconnected');
    end(reason);
    end(new Error('a second reason'));
    await expect(ended).rejects.toBe(reason);
    expect([signal.reason, jest.getTimerCount()]).toEqual([reason, 0]);
  });

  test('does not end after clear()', async () => {
    const { signal, clear } = startTimeout(100, late);
    clear();
    await jest.advanceTimersByTimeAsync(1000);
    expect(signal.aborted).toBe(false);
  });

  test('wins the race against work that rejects because of its signal', async () => {
    const { signal, ended } = startTimeout(100, late);
    const work = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
    const outcome = Promise.race([work, ended]).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(100);
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
        await time.spend(call).catch((error: unknown) => lefts.push(String(error)));
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
    expect(await time.spend(async () => timeLeft())).toBeUndefined();
  });

  test('a call that takes longer than what is left rejects then, and no further one is made', async () => {
    const failure = 'Error: no response in the time that was left to the request';
    expect(await leftOf([60, 500, 1])).toEqual([undefined, 0.04, failure, failure]);
  });

  test('calls at the same time count once, and a run within a request is part of it', async () => {
    const running = time.run(async () => {
      await Promise.all([time.spend(takes(30)), time.spend(takes(50)), time.spend(takes(50))]);
      return time.run(() => time.spend(async () => timeLeft()));
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
      await time.spend(failing).catch(() => undefined);
      return time.spend(call).catch((error: unknown) => error);
    });
    await jest.advanceTimersByTimeAsync(1000);
    expect(await running).toBe(failure);
    expect(call).not.toHaveBeenCalled();
  });
});
