import { afterEach, expect, jest, test } from '@jest/globals';
import { Counters } from '../../adapters/memory/counters.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test('a window of the store in memory is over to the millisecond', () => {
  const counters = new Counters();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
  const spend = (): number | undefined => counters.spend([{ name: 'a', most: 1 }], 10);
  expect([spend(), spend()]).toEqual([undefined, 10]);
  clock.mockReturnValue(9999);
  expect(spend()).toBe(1);
  clock.mockReturnValue(10_000);
  expect([spend(), spend()]).toEqual([undefined, 10]);
});

test('what has run out leaves the memory, also behind a counter that lasts', () => {
  const counters = new Counters();
  const clock = jest.spyOn(Date, 'now');
  for (let hour = 0; hour < 20; hour += 1) {
    clock.mockReturnValue(hour * 3_600_000);
    counters.spend([{ name: `form ${hour}`, most: 1 }], 86_400);
    for (let i = 0; i < 100; i += 1) counters.spend([{ name: `${hour} ${i}`, most: 1 }], 3600);
  }
  expect(counters.size).toBeLessThan(400);
});

test('what is refused leaves nothing in memory', () => {
  const counters = new Counters();
  counters.spend([{ name: 'site', most: 1 }], 60);
  for (let i = 0; i < 100; i += 1) {
    const allowances = [
      { name: `address ${i}`, most: 5 },
      { name: 'site', most: 1 },
    ];
    expect(counters.spend(allowances, 60)).toBe(60);
  }
  expect(counters.size).toBe(1);
});
