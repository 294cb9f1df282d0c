import { jest } from '@jest/globals';

const realNow = Date.now;
const realElapsed = performance.now.bind(performance);

/** Sets the clock this many seconds ahead of the real one; `Date.now` goes on from there, timers stay real. */
export function setClockAhead(seconds: number): void {
  jest.spyOn(Date, 'now').mockImplementation(() => realNow.call(Date) + seconds * 1000);
}

/** The same for `performance.now` too, by which a process counts its own windows. No call may be under way: it would be over time. */
export function passTime(seconds: number): void {
  setClockAhead(seconds);
  jest.spyOn(performance, 'now').mockImplementation(() => realElapsed() + seconds * 1000);
}

/**
 * Stops the clock: a test that waits for a busy machine stays within the windows of seconds. Timers stay real. Returns what sets
 * the stopped clock so many seconds later than it was stopped.
 */
export function stopClock(now: number = Date.now()): (seconds: number) => void {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
  return (seconds) => void clock.mockReturnValue(now + seconds * 1000);
}

/** Stops `performance.now` too, by which a process counts its own windows. */
export function stopTime(): (seconds: number) => void {
  const start = performance.now();
  const elapsed = jest.spyOn(performance, 'now').mockReturnValue(start);
  const later = stopClock();
  return (seconds) => {
    later(seconds);
    elapsed.mockReturnValue(start + seconds * 1000);
  };
}

/** Back to the real clock. */
export function resetClock(): void {
  jest.restoreAllMocks();
}
