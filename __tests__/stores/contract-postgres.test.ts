import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { storeContract } from '../../lib/testing/index.ts';
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts';
import { documentedGrants, urlOfRole } from './sql/documented-role.ts';

let server: PostgresServer;
let store: ReturnType<typeof postgresStore>;
beforeAll(async () => {
  server = await startPostgres();
  const owner = server.pool({ max: 1 });
  await postgresStore(owner).migrate();
  await owner.query(documentedGrants);
  store = postgresStore(server.pool({ connectionString: urlOfRole(server), max: 20, query_timeout: 10_000 }));
});
afterAll(() => server.stop());

describe('postgresStore, with the rights of docs/operate/postgres.md and no more', () => {
  for (const { name, run } of storeContract(() => store)) test(name, run);
});
