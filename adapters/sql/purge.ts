import { channel } from 'node:diagnostics_channel';
import type { PurgeReport } from '../../lib/records/maintenance.ts';
import type { StoreObserver } from '../../lib/records/store-observer.ts';
import type { SqlLog } from './log.ts';
import { type CallSql, type Dialect, statement } from './sql.ts';
import { expiringTables } from './tables.ts';

/** Rows that one statement removes. */
const batch = 500;

/** Statements of one purge. */
const maxBatches = 40;

/** Milliseconds between two purges, more or less: processes that start together drift apart. */
const pause = { idle: 60_000, busy: 2000 };

/** Tells of each purge that this process made and that removed something. */
const purged = channel('campus-oidc.purge');

/** Makes the function that counts what a purge would remove, however many purges that takes. */
export function expiredCounter(call: CallSql, { now, table }: Dialect): () => Promise<number> {
  const counts = expiringTables.map((name) => `(select count(*) from ${table(name)} where expires <= ${now})`);
  const all = statement(`select ${counts.join(' + ')} as expired`);
  return async () => {
    const [row] = await call((sql) => sql.run(all, []));
    return Number(row?.['expired'] ?? 0);
  };
}

/** Makes the function that removes expired rows, in small batches that wait for nobody, and then what the log need not keep. */
export function purger(
  series: () => CallSql,
  { now, table, forUpdate, inTime }: Dialect,
  log: SqlLog,
  tables: readonly string[] = expiringTables,
): () => Promise<PurgeReport> {
  const lock = forUpdate && `${forUpdate} skip locked`;
  const batches = tables.map((name) =>
    statement(`delete from ${table(name)} where key in
      (select key from ${table(name)} where expires <= ${now} limit ${batch}${lock}) ${inTime(1)} returning 1 as done`),
  );
  return async () => {
    const call = series();
    const start = performance.now();
    let [removed, left] = [0, maxBatches];
    for (const each of batches) {
      for (let length = batch; length === batch && left > 0; left -= 1) {
        ({ length } = await call((sql) => sql.write(each, [])));
        removed += length;
      }
    }
    removed += await log.purge(call);
    const report = { removed, hasMore: left === 0, milliseconds: Math.round(performance.now() - start) };
    if (removed > 0) purged.publish(report);
    return report;
  };
}

/** Purges now and then until the host closes the database. The timer keeps no process alive. */
export function purgeRegularly(
  purge: () => Promise<PurgeReport>,
  isClosed: () => boolean,
  report: StoreObserver,
): void {
  const wait = (milliseconds: number): void => {
    setTimeout(() => void next(), milliseconds * (0.5 + Math.random())).unref();
  };
  const next = async (): Promise<void> => {
    if (isClosed()) return;
    const done = await purge().catch((error: unknown) => {
      if (!isClosed()) report('expired rows could not be removed', error);
    });
    wait(done?.hasMore === true ? pause.busy : pause.idle);
  };
  wait(pause.idle);
}
