import { Pool } from 'pg';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import { redeemOften, type Shot } from './redeem.ts';

/** Another process on the same database: it redeems what it is told to, many times at once. */
process.once('message', ({ url }: { readonly url: string }) => {
  const pool = new Pool({ connectionString: url, max: 10, query_timeout: 60_000 });
  const store = postgresStore(pool);
  process.on('message', (shot: Shot) => void redeemOften(store, shot).then((outcomes) => process.send?.({ outcomes })));
  process.once('disconnect', () => process.exit());
  void store.ping().then(() => process.send?.({ ready: true }));
});
