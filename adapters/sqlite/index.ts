import type { SqlStore } from '../../lib/records/maintenance.ts';
import type { StoreObserver } from '../../lib/records/store-observer.ts';
import { migrate, migrationStates } from '../sql/migrate.ts';
import { sqlLog } from '../sql/log.ts';
import { expiredCounter, purger, purgeRegularly } from '../sql/purge.ts';
import type { CallSql } from '../sql/sql.ts';
import { statements } from '../sql/statements.ts';
import { storeOver } from '../sql/store.ts';
import { sweeper } from '../sql/sweep.ts';
import { transferOf } from '../sql/transfer.ts';
import { useStatements } from '../sql/use.ts';
import { diagnose } from './diagnose.ts';
import { operations } from './operations.ts';
import { logsPerTurn } from './log.ts';
import { checkDatabase, type SqliteDatabase } from './options.ts';
import { dialect, Session } from './session.ts';

export { sqliteLog } from './log.ts';

/**
 * Returns a store in a SQLite database of this process, for small schools, demos and tests. `migrate` creates its tables. The store never
 * opens, configures or closes the database.
 *
 * @throws TypeError that names the problem with the database
 */
export function sqliteStore(database: SqliteDatabase): SqlStore {
  checkDatabase(database);
  const session = new Session(database);
  const call: CallSql = (work) => work(session);
  const series = (): CallSql => call;
  const log = sqlLog(call, dialect, logsPerTurn);
  const purge = purger(series, dialect, log);
  const observers: StoreObserver[] = [];
  const isClosed = (): boolean => Reflect.get(database, 'isOpen') === false;
  purgeRegularly(purge, isClosed, (...event) => {
    for (const observer of observers) observer(...event);
  });
  const migrations = async () => session.texts(migrationStates(dialect));
  return {
    ...storeOver(statements(dialect), useStatements(dialect), { call, series }, operations(session)),
    ...log.methods,
    observe: (observer) => void observers.push(observer),
    migrate: async () => session.transaction(() => session.texts(migrate(dialect))),
    migrations,
    diagnose: () => diagnose(session, migrations),
    expired: expiredCounter(call, dialect),
    purge,
    sweep: sweeper(call, dialect),
    transfer: () => transferOf(call, dialect),
  };
}
