import { jest } from '@jest/globals';

const realNow = Date.now;

/** Sets the clock this many seconds ahead of the real one; `Date.now` goes on from there, timers stay real. */
export function setClockAhead(seconds: number): void {
  jest.spyOn(Date, 'now').mockImplementation(() => realNow.call(Date) + seconds * 1000);
}

/** Stops the clock: a test that waits for a busy machine stays within the windows of seconds. Timers stay real. */
export function stopClock(now: number): void {
  jest.spyOn(Date, 'now').mockReturnValue(now);
}

/** Back to the real clock. */
export function resetClock(): void {
  jest.restoreAllMocks();
}
