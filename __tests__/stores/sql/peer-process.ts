import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'pg';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import type { SqliteDatabase } from '../../../adapters/sqlite/options.ts';
import { redeemOften, type Shot } from './redeem.ts';

let statementsLeft = Infinity;

/** A database that kills this process after a statement. */
function deadly(database: DatabaseSync): SqliteDatabase {
  const count = <T>(result: T): T => {
    statementsLeft -= 1;
    if (statementsLeft === 0) process.kill(process.pid, 'SIGKILL');
    return result;
  };
  return {
    exec: (text) => count(database.exec(text)),
    prepare: (text) => {
      const prepared = database.prepare(text);
      return { all: (values) => count(prepared.all(values)) };
    },
  };
}

/** Another process on the same database: it redeems what it is told to, many times at once. */
process.once('message', ({ database }: { readonly database: string }) => {
  const store = database.startsWith('postgres:')
    ? postgresStore(new Pool({ connectionString: database, max: 10, query_timeout: 60_000 }))
    : sqliteStore(deadly(new DatabaseSync(database)));
  process.on('message', (shot: Shot) => {
    statementsLeft = shot.killedAfter ?? Infinity;
    void redeemOften(store, shot).then((outcomes) => process.send?.({ id: shot.id, outcomes }));
  });
  process.once('disconnect', () => process.exit());
  void store.ping().then(() => process.send?.({ ready: true }));
});
