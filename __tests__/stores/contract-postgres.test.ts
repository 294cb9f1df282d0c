import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { storeContract } from '../../lib/testing/index.ts';
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts';

let server: PostgresServer;
let store: ReturnType<typeof postgresStore>;
beforeAll(async () => {
  server = await startPostgres();
  store = postgresStore(server.pool({ max: 20, query_timeout: 10_000 }));
  await store.migrate();
});
afterAll(() => server.stop());

describe('postgresStore', () => {
  for (const { name, run } of storeContract(() => store)) test(name, run);
});
