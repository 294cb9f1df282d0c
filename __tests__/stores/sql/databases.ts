import { DatabaseSync } from 'node:sqlite';
import { postgresLog, postgresStore } from '../../../adapters/postgres/index.ts';
import { sqliteLog, sqliteStore } from '../../../adapters/sqlite/index.ts';
import type { StoreMaintenance } from '../../../lib/records/maintenance.ts';
import type { SqlLogStore, Store } from '../../../lib/store.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';

/** An empty database, with any number of stores on it as of several processes. */
export interface Database {
  /** What a statement needs before the first one on a table. */
  readonly prelude: string;
  /** A store of its own. */
  open(): Store & StoreMaintenance;
  /** A log of its own. */
  openLog(): SqlLogStore;
  /** Runs a statement past the stores. */
  run(text: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** Each has a schema of its own on one server. */
export async function postgresDatabases(): Promise<{ make(): Promise<Database>; server: PostgresServer }> {
  const server = await startPostgres();
  const admin = server.pool({ max: 1 });
  let made = 0;
  return {
    server,
    make: async () => {
      made += 1;
      const schema = `schema_${made}`;
      return {
        prelude: `create schema ${schema}`,
        open: () => postgresStore(server.pool({ max: 5, query_timeout: 30_000 }), { schema }),
        openLog: () => postgresLog(server.pool({ max: 5, query_timeout: 30_000 }), { schema }),
        run: async (text) => (await admin.query(text.replaceAll(/\bcampus_/g, `${schema}.campus_`))).rows,
        close: async () => {},
      };
    },
  };
}

export function sqliteDatabase(): Database {
  const database = new DatabaseSync(':memory:');
  return {
    prelude: 'select 1',
    open: () => sqliteStore(database),
    openLog: () => sqliteLog(database),
    run: async (text) => database.prepare(text).all(),
    close: async () => database.close(),
  };
}
