import type { MigrationState } from '../../lib/records/maintenance.ts';
import type { Dialect, Row } from './sql.ts';
import { migrations } from './tables.ts';

/** Work in texts without parameters: it yields each and gets its rows. So a database that waits and one that does not both run it. */
export type Texts<T> = Generator<string, T, readonly Row[]>;

/** The error of a statement whose table or column is not there. */
export function notMigrated(cause: unknown): Error {
  const advice = 'run campus-oidc store migrate, or store.migrate()';
  return new Error(`the database does not have the tables of this release: ${advice}`, { cause });
}

/** Takes the steps that are missing, or one of them. To be run alone, in one transaction. */
export function* migrate(dialect: Dialect, only?: number): Texts<readonly number[]> {
  const table = dialect.table('migration');
  yield `create table if not exists ${table} (version integer primary key, applied double precision not null)`;
  const states = yield* migrationStates(dialect);
  const missing = states.filter((step) => !step.isApplied && (only ?? step.version) === step.version);
  for (const { version, statements } of missing) {
    yield* statements;
    yield `insert into ${table} (version, applied) values (${version}, ${dialect.now})`;
  }
  return missing.map(({ version }) => version);
}

/** Without the table of migrations, the text that it yields must give no rows. */
export function* migrationStates(dialect: Dialect): Texts<readonly MigrationState[]> {
  const rows = yield `select version from ${dialect.table('migration')}`;
  const applied = new Set(rows.map(({ version }) => Number(version)));
  return migrations(dialect).map((step) => ({ ...step, isApplied: applied.has(step.version) }));
}

/** The indexes that the steps create and a database does not have, by its own list of names. */
export function missingIndexes(states: readonly MigrationState[], rows: readonly Row[]): string[] {
  const there = new Set(rows.map(({ name }) => name));
  const created = states.flatMap(({ statements }) =>
    statements.flatMap((text) => /^create index (\w+)/.exec(text)?.[1] ?? []),
  );
  return created.filter((name) => !there.has(name));
}
