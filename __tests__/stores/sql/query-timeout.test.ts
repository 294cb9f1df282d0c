import { afterEach, expect, test } from '@jest/globals';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import type { PostgresClient, PostgresPool } from '../../../adapters/postgres/options.ts';
import { resetClock, stopTime } from '../../helpers/clock.ts';

afterEach(resetClock);

/** A pool of `pg` whose own timer ends each query; `onQuery` is called before. */
function timingOut(onQuery: () => void): PostgresPool {
  const query = async (): Promise<never> => {
    onQuery();
    throw new Error('Query read timeout');
  };
  const client: PostgresClient = { query, release: () => {}, on: () => {}, removeListener: () => {} };
  return { options: { query_timeout: 20_000 }, connect: (callback) => callback(undefined, client) };
}

test.each([
  ['at the deadline', 20, 'PostgreSQL did not respond in time'],
  ['a part of a millisecond before it, as timers may', 19.9995, 'PostgreSQL did not respond in time'],
  // Another limit than that of the store, perhaps one for a single statement.
  ['long before it', 10, 'Query read timeout'],
])('pg says that the time is up %s', async (_when, seconds, message) => {
  const setTime = stopTime();
  const store = postgresStore(timingOut(() => setTime(seconds)));
  await expect(store.find('harbour', 'Session', 'any')).rejects.toThrow(message);
});
