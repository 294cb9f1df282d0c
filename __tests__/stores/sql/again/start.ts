import { postgresStore } from '../../../../adapters/postgres/index.ts';
import { startPostgres } from '../../../helpers/postgres.ts';

/** Starts one PostgreSQL for all test files, at `POSTGRES_URL`; what it returns stops it. */
export default async function start(): Promise<() => Promise<void>> {
  const server = await startPostgres();
  await postgresStore(server.pool({ max: 1 })).migrate();
  process.env['POSTGRES_URL'] = server.url;
  return () => server.stop();
}
