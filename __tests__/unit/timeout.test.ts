import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { startTimeout, withTimeout } from '../../lib/runtime/timeout.ts';

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
    await expect(running).rejects.toThrow('late');
  });

  test('ignores work that rejects after the time is up', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const running = withTimeout(promise, 100, late);
    running.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(100);
    reject(new Error('too late to matter'));
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
