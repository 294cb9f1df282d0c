import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { wrapPlatform } from '../../lib/host/checked-platform.ts';
import { TemporarilyUnavailable } from '../../lib/index.ts';
import { fakePlatform } from '../../lib/testing/fake-platform.ts';
import { harbourSite } from '../helpers/sites.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

test('a list of roles that does not come within 10 seconds is a fault', async () => {
  const told: unknown[] = [];
  const roles = () => new Promise<never>(() => undefined);
  const platform = { ...fakePlatform({ schools: [], people: {} }), roles };
  const asked = wrapPlatform(platform, (message, cause) => told.push([message, cause])).roles(harbourSite());
  const refused = expect(asked).rejects.toBeInstanceOf(TemporarilyUnavailable);
  await jest.advanceTimersByTimeAsync(10_000);
  await refused;
  expect(told).toEqual([['platform.roles failed', new Error('no response after 10 seconds')]]);
});
