import type { SqlLogStore } from '../../lib/records/maintenance.ts';
import { sqlLog } from '../sql/log.ts';
import { migrate } from '../sql/migrate.ts';
import { purger, purgeRegularly } from '../sql/purge.ts';
import { logVersion } from '../sql/tables.ts';
import { runAlone } from './migrate.ts';
import { type PostgresPool, type PostgresStoreOptions, readPostgresOptions } from './options.ts';
import { postgresCalls } from './session.ts';
import { postgresDialect } from './statements.ts';

/**
 * Keeps a log in PostgreSQL 14 or later, over a pool of `pg`, for a campus that stores everything else elsewhere: `storedLog({ store: postgresLog(pool) })`.
 * `migrate` creates its table. It never opens, configures or closes the pool. `postgresStore` keeps a log too.
 *
 * @throws TypeError that names a wrong option
 */
export function postgresLog(pool: PostgresPool, options: PostgresStoreOptions = {}): SqlLogStore {
  const settings = readPostgresOptions(pool, options);
  const sql = postgresDialect(settings.schema);
  const { call, series, observe, report } = postgresCalls(pool, settings);
  const log = sqlLog(call, sql);
  const purge = purger(series, sql, log, []);
  purgeRegularly(purge, () => Reflect.get(pool, 'ending') === true, report);
  return { ...log.methods, observe, purge, migrate: () => runAlone(pool, settings.schema, migrate(sql, logVersion)) };
}
