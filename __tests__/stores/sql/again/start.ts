import { postgresStore } from '../../../../adapters/postgres/index.ts';
import { type PostgresServer, startPostgres } from '../../../helpers/postgres.ts';

declare global {
  var postgresForAll: PostgresServer | undefined;
}

/** Starts one PostgreSQL for all test files, at `POSTGRES_URL`. */
export default async function start(): Promise<void> {
  const server = await startPostgres();
  await postgresStore(server.pool({ max: 1 })).migrate();
  globalThis.postgresForAll = server;
  process.env['POSTGRES_URL'] = server.url;
}
