import { afterAll } from '@jest/globals';
import { Pool } from 'pg';
import { postgresStore } from '../../../../adapters/postgres/index.ts';
import type { Store } from '../../../../lib/store.ts';
import { withTestClock } from '../../redis/again/test-clock.ts';
import { apart } from './apart.ts';

let pool: Pool | undefined;
afterAll(() => pool?.end());

/** Replaces the memory store: as empty as a new one, but in PostgreSQL. */
export function memoryStore(): Store {
  pool ??= new Pool({ connectionString: process.env['POSTGRES_URL'], query_timeout: 10_000, max: 10 });
  return withTestClock(apart(postgresStore(pool)));
}
