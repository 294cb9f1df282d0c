import { expect, test } from '@jest/globals';
import { WindowCounters } from '../../lib/kernel/window-counters.ts';

const hour = 60 * 60;
const limits = [{ name: 'calls', limit: 1 }];

/** Times with a fraction, as `performance.now` has them. */
const times = Array.from({ length: 1000 }, (_, i) => ((i * 16_807) % 2_147_483_647) / 7.13);

test('a window that has just begun ends in its length, whatever the time: not in a second more', () => {
  const waits = times.map((time) => {
    const counters = new WindowCounters(hour, () => time);
    counters.count(limits);
    return counters.wait(limits);
  });
  expect(new Set(waits)).toEqual(new Set([hour]));
});

test('a window that ends within a second is waited for one second', () => {
  let time = 0.25;
  const counters = new WindowCounters(hour, () => time);
  counters.count(limits);
  time += hour * 1000 - 0.2;
  expect(counters.wait(limits)).toBe(1);
  time += 0.2;
  expect(counters.wait(limits)).toBeUndefined();
});

test('100,000 counters are kept: when there are more, the oldest ends early, and no other', () => {
  const counters = new WindowCounters(hour, () => 0.25);
  const use = (name: string): number | undefined => counters.use([{ name, limit: 1 }]);
  for (let i = 0; i <= 100_000; i += 1) use(`school ${i}`);
  expect([use('school 1'), use('school 100000')]).toEqual([hour, hour]);
  expect(use('school 0')).toBeUndefined();
});
