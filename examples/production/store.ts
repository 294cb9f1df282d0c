import { postgresStore } from 'campus-oidc/adapters/postgres';
import { Pool } from 'pg';

/** The database of the platform; campus-oidc has tables of its own in it. */
export const pool: Pool = new Pool({
  connectionString: process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  connectionTimeoutMillis: 2000,
  statement_timeout: 5000,
});
pool.on('error', (error) => console.error('postgres:', error.message));

// `campus-oidc store migrate store.ts` creates the tables of the store, before the first process starts.
export const store: ReturnType<typeof postgresStore> = postgresStore(pool);
