import type { MigrationState } from '../../lib/contracts/maintenance.ts';
import type { Row } from './sql.ts';

/** The indexes that the steps create and a database does not have, by its own list of names. */
export function missingIndexes(states: readonly MigrationState[], rows: readonly Row[]): string[] {
  const there = new Set(rows.map(({ name }) => name));
  const created = states.flatMap(({ statements }) =>
    statements.flatMap((text) => /^create index (\w+)/.exec(text)?.[1] ?? []),
  );
  return created.filter((name) => !there.has(name));
}
