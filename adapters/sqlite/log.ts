import type { SqlLogStore } from '../../lib/records/maintenance.ts';
import type { StoreObserver } from '../../lib/records/store-observer.ts';
import { sqlLog } from '../sql/log.ts';
import { migrate } from '../sql/migrate.ts';
import { purger, purgeRegularly } from '../sql/purge.ts';
import type { CallSql } from '../sql/sql.ts';
import { logVersion } from '../sql/tables.ts';
import { checkDatabase, type SqliteDatabase } from './options.ts';
import { dialect, Session } from './session.ts';

/** Events that are written before requests get a turn: 5 ms. */
export const logsPerTurn = 50;

/**
 * Keeps a log in a SQLite database of this process, for a campus that stores everything else elsewhere:
 * `storedLog({ store: sqliteLog(database) })`. `migrate` creates its table. It never opens, configures or closes the database.
 * `sqliteStore` keeps a log too.
 *
 * @throws TypeError that names the problem with the database
 */
export function sqliteLog(database: SqliteDatabase): SqlLogStore {
  checkDatabase(database);
  const session = new Session(database);
  const call: CallSql = (work) => work(session);
  const observers: StoreObserver[] = [];
  const log = sqlLog(call, dialect, logsPerTurn);
  const purge = purger(() => call, dialect, log, []);
  const isClosed = (): boolean => Reflect.get(database, 'isOpen') === false;
  purgeRegularly(purge, isClosed, (...event) => {
    for (const observer of observers) observer(...event);
  });
  return {
    ...log.methods,
    observe: (observer) => void observers.push(observer),
    purge,
    migrate: async () => session.transaction(() => session.texts(migrate(dialect, logVersion))),
  };
}
