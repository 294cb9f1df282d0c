import type { StoreMaintenance } from '../../lib/contracts/maintenance.ts';
import type { Store, StoreObserver } from '../../lib/contracts/store.ts';
import { migrate, migrationStates } from '../sql/migrate.ts';
import { purger, purgeRegularly } from '../sql/purge.ts';
import { statements } from '../sql/statements.ts';
import { storeOver } from '../sql/store.ts';
import { sweeper } from '../sql/sweep.ts';
import { transferOf } from '../sql/transfer.ts';
import { diagnose } from './diagnose.ts';
import { operations } from './operations.ts';
import { checkDatabase, type SqliteDatabase } from './options.ts';
import { callsOf, dialect, Session } from './session.ts';

/**
 * Stores everything in a SQLite database of this process: for small schools, demos and tests. `migrate` creates its tables.
 * The store never opens, configures or closes the database.
 *
 * @throws TypeError that says what is wrong with the database
 */
export function sqliteStore(database: SqliteDatabase): Store & StoreMaintenance {
  checkDatabase(database);
  const session = new Session(database);
  const calls = callsOf(session);
  const purge = purger(calls.series, dialect);
  const observers: StoreObserver[] = [];
  const isClosed = (): boolean => Reflect.get(database, 'isOpen') === false;
  purgeRegularly(purge, isClosed, (...event) => {
    for (const observer of observers) observer(...event);
  });
  const migrations = async () => session.texts(migrationStates(dialect));
  return {
    ...storeOver(statements(dialect), calls, operations(session)),
    observe: (observer) => void observers.push(observer),
    migrate: async () => session.transaction(() => session.texts(migrate(dialect))),
    migrations,
    diagnose: () => diagnose(session, migrations),
    purge,
    sweep: sweeper(calls.call, dialect),
    transfer: () => transferOf(calls.call, dialect),
  };
}
