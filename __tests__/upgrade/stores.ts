import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { memoryStore } from '../../adapters/memory/index.ts';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import type { Store } from '../../lib/store.ts';

/** A store that processes can share, and what ends its connections. */
export interface OpenStore {
  readonly store: Store;
  close(): Promise<unknown>;
}

/** No call may end for lack of time on a busy machine. */
const deadline = 30_000;

/** Without an address it is in memory. */
export async function openStore(url: string): Promise<OpenStore> {
  if (url === '') return { store: memoryStore(), close: () => Promise.resolve() };
  if (url.startsWith('redis:')) {
    const client = new Redis(url);
    client.on('error', () => {});
    return { store: redisStore(client, { deadline }), close: async () => client.disconnect() };
  }
  const pool = new Pool({ connectionString: url, max: 5, query_timeout: deadline });
  pool.on('error', () => {});
  const store = postgresStore(pool);
  await store.migrate();
  return { store, close: () => pool.end() };
}
