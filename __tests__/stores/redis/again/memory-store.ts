import { randomUUID } from 'node:crypto';
import { afterAll } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisStore } from '../../../../adapters/redis/index.ts';
import type { Store } from '../../../../lib/store.ts';
import { withTestClock } from './test-clock.ts';

let client: Redis | undefined;
afterAll(() => client?.disconnect());

/** Replaces the memory store: as empty as a new one, but in Redis. */
export function memoryStore(): Store {
  client ??= new Redis(process.env['REDIS_URL'] ?? '');
  const store = redisStore(client, { prefix: `campus-${randomUUID()}`, deadline: 10_000 });
  return withTestClock(store);
}
