import { expect, test } from '@jest/globals';
import { TemporarilyUnavailable } from '../../lib/index.ts';
import { faultWrapper } from '../../lib/observe/faults-to-503.ts';
import { hourlyFaults } from '../../lib/observe/hourly-faults.ts';

test('no result before the timeout is a fault', async () => {
  const told: [string, unknown][] = [];
  const guard = faultWrapper((message, cause) => told.push([message, cause]), 0.02);
  const never = guard('platform.findMember', () => new Promise<never>(() => undefined));
  await expect(never()).rejects.toBeInstanceOf(TemporarilyUnavailable);
  expect(told).toEqual([['platform.findMember failed', new Error('no response after 0.02 seconds')]]);
});

test('a result is passed on, at once or later', async () => {
  const guard = faultWrapper(() => undefined, 0.02);
  expect(await guard('at once', (n: number) => n + 1)(1)).toBe(2);
  expect(await guard('later', async (n: number) => n + 1)(1)).toBe(2);
});

test('what any caller can cause: an hour has a fault of each of a thousand schools, ten of one, and one that says that more are left out', () => {
  const told: string[] = [];
  const report = hourlyFaults((message) => told.push(message));
  const mistake = (of: number, name = 0): void =>
    report({ of: `${of}`, name: `${name}` }, `${of} ${name}`, () => new Error());
  for (let name = 0; name < 20; name += 1) mistake(0, name);
  const more = '0 10; more of these are not reported in this hour';
  expect(told).toEqual([...Array.from({ length: 10 }, (_, name) => `0 ${name}`), more]);
  for (let of = 1; of < 2000; of += 1) mistake(of);
  expect(told).toHaveLength(1001);
  expect(told.slice(11, 13)).toEqual(['1 0', '2 0']);
});
