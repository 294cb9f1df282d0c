import { DatabaseSync } from 'node:sqlite';
import type { SqlStore, Store } from 'campus-oidc/store';
import { memoryStore } from 'campus-oidc/adapters/memory';
import { postgresStore } from 'campus-oidc/adapters/postgres';
import { redisStore } from 'campus-oidc/adapters/redis';
import { sqliteStore } from 'campus-oidc/adapters/sqlite';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

interface OpenStore {
  readonly store: Store;
  close(): void | Promise<void>;
}

/** The store at `redis://…`, `postgres://…` or `sqlite:campus.db`; without an address, the memory of this process. */
export async function openStore(url: string | undefined): Promise<OpenStore> {
  const scheme = url?.split(':')[0] ?? '';
  if (!url) return { store: memoryStore(), close: () => {} };
  if (['postgres', 'postgresql'].includes(scheme)) return openPostgres(url);
  if (scheme === 'sqlite') return openSqlite(url.slice('sqlite:'.length));
  const redis = new Redis(url, { enableAutoPipelining: true });
  redis.on('error', (error) => console.error('redis:', error.message));
  return { store: redisStore(redis), close: () => redis.disconnect() };
}

async function openPostgres(connectionString: string): Promise<OpenStore> {
  const pool = new Pool({ connectionString, connectionTimeoutMillis: 2000, statement_timeout: 5000 });
  pool.on('error', (error) => console.error('postgres:', error.message));
  return migrated(postgresStore(pool), () => pool.end());
}

async function openSqlite(file: string): Promise<OpenStore> {
  const database = new DatabaseSync(file, { timeout: 2000 });
  database.exec('PRAGMA journal_mode = WAL');
  return migrated(sqliteStore(database), () => database.close());
}

/** With its tables: `migrate` is safe to repeat. */
async function migrated(store: SqlStore, close: OpenStore['close']): Promise<OpenStore> {
  await store.migrate();
  return { store, close };
}
