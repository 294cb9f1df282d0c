import { afterEach, expect, jest, test } from '@jest/globals';
import { Quotas } from '../../adapters/memory/quotas.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test('a quota window of the memory store ends to the millisecond', () => {
  const counters = new Quotas();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
  const consumeQuota = (): number | undefined => counters.consumeQuota([{ name: 'a', limit: 1 }], 10);
  expect([consumeQuota(), consumeQuota()]).toEqual([undefined, 10]);
  clock.mockReturnValue(9999);
  expect(consumeQuota()).toBe(1);
  clock.mockReturnValue(10_000);
  expect([consumeQuota(), consumeQuota()]).toEqual([undefined, 10]);
});

test('expired quota counters are deleted, also behind a counter that lives longer', () => {
  const counters = new Quotas();
  const clock = jest.spyOn(Date, 'now');
  for (let hour = 0; hour < 20; hour += 1) {
    clock.mockReturnValue(hour * 3_600_000);
    counters.consumeQuota([{ name: `form ${hour}`, limit: 1 }], 86_400);
    for (let i = 0; i < 100; i += 1) counters.consumeQuota([{ name: `${hour} ${i}`, limit: 1 }], 3600);
  }
  expect(counters.size).toBeLessThan(400);
});

test('a refused quota creates no counter', () => {
  const counters = new Quotas();
  counters.consumeQuota([{ name: 'site', limit: 1 }], 60);
  for (let i = 0; i < 100; i += 1) {
    const quotas = [
      { name: `address ${i}`, limit: 5 },
      { name: 'site', limit: 1 },
    ];
    expect(counters.consumeQuota(quotas, 60)).toBe(60);
  }
  expect(counters.size).toBe(1);
});
