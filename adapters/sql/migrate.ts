import type { MigrationState } from '../../lib/contracts/maintenance.ts';
import type { Dialect, Row } from './sql.ts';
import { migrations } from './tables.ts';

/** Runs a text without parameters. */
export type RunText = (text: string) => Promise<readonly Row[]>;

/** A transaction during which no other process migrates. */
export type Alone = <T>(work: (run: RunText) => Promise<T>) => Promise<T>;

/** Takes the steps that are missing. */
export function migrate(alone: Alone, dialect: Dialect): Promise<readonly number[]> {
  const table = dialect.table('migration');
  return alone(async (run) => {
    await run(`create table if not exists ${table} (version integer primary key, applied double precision not null)`);
    const applied = await versions(run, table);
    const missing = migrations(dialect).filter(({ version }) => !applied.has(version));
    for (const { version, statements } of missing) {
      for (const statement of statements) await run(statement);
      await run(`insert into ${table} (version, applied) values (${version}, ${dialect.now})`);
    }
    return missing.map(({ version }) => version);
  });
}

/** `run` must return nothing where there is no such table. */
export async function migrationStates(run: RunText, dialect: Dialect): Promise<readonly MigrationState[]> {
  const applied = await versions(run, dialect.table('migration'));
  return migrations(dialect).map((step) => ({ ...step, isApplied: applied.has(step.version) }));
}

async function versions(run: RunText, table: string): Promise<ReadonlySet<number>> {
  const rows = await run(`select version from ${table}`);
  return new Set(rows.map(({ version }) => Number(version)));
}
