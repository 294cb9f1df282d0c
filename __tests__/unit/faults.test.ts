import { expect, test } from '@jest/globals';
import { TemporarilyUnavailable } from '../../lib/index.ts';
import { faultWrapper } from '../../lib/host/faults.ts';

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
