import type { PurgeReport } from '../../lib/contracts/maintenance.ts';
import type { StoreObserver } from '../../lib/contracts/store.ts';
import { type CallSql, type Dialect, statement } from './sql.ts';
import { expiringTables } from './tables.ts';

/** Rows that one statement removes. */
const batch = 500;

/** Statements of one purge. */
const maxBatches = 40;

/** Milliseconds between two purges; processes that start together drift apart. */
const pause = { idle: 60_000, busy: 2000 };

/** How a store purges on its own. */
export interface PurgeOptions {
  readonly purge: boolean;
  readonly onPurge?: ((report: PurgeReport) => void) | undefined;
  /** Whether the host has closed the database. */
  readonly isClosed: () => boolean;
  readonly report: StoreObserver;
}

/** Makes the function that removes expired rows, in small batches that wait for nobody. */
export function purger(series: () => CallSql, { now, table, forUpdate, inTime }: Dialect): () => Promise<PurgeReport> {
  const lock = forUpdate === '' ? '' : `${forUpdate} skip locked`;
  const batches = expiringTables.map((name) =>
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
    return { removed, hasMore: left === 0, milliseconds: Math.round(performance.now() - start) };
  };
}

/** Purges now and then until the database is closed. The timer keeps no process alive. */
export function purgeRegularly(purge: () => Promise<PurgeReport>, options: PurgeOptions): void {
  const { onPurge, isClosed, report } = options;
  const wait = (milliseconds: number): void => {
    setTimeout(() => void next(), milliseconds * (0.5 + Math.random())).unref();
  };
  const next = async (): Promise<void> => {
    if (isClosed()) return;
    const done = await purge().catch((error: unknown) => {
      if (!isClosed()) report('expired rows could not be removed', error);
    });
    if (done && done.removed > 0) onPurge?.(done);
    wait(done?.hasMore === true ? pause.busy : pause.idle);
  };
  if (options.purge) wait(pause.idle);
}
