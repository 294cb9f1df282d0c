import type { SqlStore } from '../../lib/records/maintenance.ts';
import { migrate, migrationStates } from '../sql/migrate.ts';
import { sqlLog } from '../sql/log.ts';
import { expiredCounter, purger, purgeRegularly } from '../sql/purge.ts';
import { statements } from '../sql/statements.ts';
import { storeOver } from '../sql/store.ts';
import { sweeper } from '../sql/sweep.ts';
import { transferOf } from '../sql/transfer.ts';
import { useStatements } from '../sql/use.ts';
import { diagnose } from './diagnose.ts';
import { runAlone, runIfThere } from './migrate.ts';
import { operations } from './operations.ts';
import { type PostgresPool, type PostgresStoreOptions, readPostgresOptions } from './options.ts';
import { postgresCalls } from './session.ts';
import { postgresDialect } from './statements.ts';

export { postgresLog } from './log.ts';

/**
 * Returns a store in PostgreSQL 14 or later, over a pool of `pg`. `migrate` creates its tables. The store never opens, configures or closes
 * the pool.
 *
 * @throws TypeError that names a wrong option
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): SqlStore {
  const settings = readPostgresOptions(pool, options);
  const sql = postgresDialect(settings.schema);
  const { call, series, observe, report } = postgresCalls(pool, settings);
  const log = sqlLog(call, sql);
  const purge = purger(series, sql, log);
  const isClosed = (): boolean => Reflect.get(pool, 'ending') === true;
  purgeRegularly(purge, isClosed, report);
  const migrations = () => runIfThere(pool, migrationStates(sql));
  return {
    ...storeOver(statements(sql), useStatements(sql), { call, series }, operations(call, sql)),
    ...log.methods,
    deadline: settings.deadline / 1000,
    observe,
    migrate: () => runAlone(pool, settings.schema, migrate(sql)),
    migrations,
    diagnose: () => diagnose({ call, pool, schema: settings.schema, migrations }),
    expired: expiredCounter(call, sql),
    purge,
    sweep: sweeper(call, sql),
    transfer: () => transferOf(call, sql),
  };
}
