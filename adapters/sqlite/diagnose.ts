import { type Finding, finder, type FindingTable } from '../../lib/kernel/finding.ts';
import { missingIndexes } from '../sql/migrate.ts';
import { statement } from '../sql/sql.ts';
import type { Session } from './session.ts';
import type { MigrationState } from '../../lib/records/maintenance.ts';

/** What `diagnose` of `sqliteStore` can find. @internal */
export const sqliteFindings = {
  /** A statement failed. */
  'sqlite-unreadable': ['error', 'check the database file and its permissions'],
  /** A test write, which is rolled back, failed. The file or its folder is read-only, or the disk is full. */
  'sqlite-unwritable': [
    'error',
    'let the user of the process write to the file and its folder, and open the file without readOnly. SQLite puts its journal into the folder',
  ],
  /** The tables are missing or older than this release. */
  'sqlite-migrations': ['error', 'run campus-oidc store migrate, or store.migrate()'],
  /** An index of the tables is missing. */
  'sqlite-index': [
    'error',
    'create it again. campus-oidc store status --sql prints the statement when it runs on an empty database',
  ],
  /** `journal_mode` is not WAL. */
  'sqlite-journal': [
    'warning',
    'run PRAGMA journal_mode = WAL. Each write is then several times faster, and does not block readers',
  ],
  /** `busy_timeout` is 0. */
  'sqlite-timeout': [
    'warning',
    'set the option timeout of DatabaseSync. Without it, calls fail immediately while another process writes',
  ],
} as const satisfies FindingTable;

const found = finder(sqliteFindings);

/** Inspects the tables and settings, and whether the database can be written. Changes nothing and never rejects. */
export async function diagnose(
  session: Session,
  migrations: () => Promise<readonly MigrationState[]>,
): Promise<Finding[]> {
  try {
    const states = await migrations();
    const missing = states.filter(({ isApplied }) => !isApplied).map(({ version }) => version);
    const rows = session.now(statement(`select name from sqlite_master where type = 'index'`), []);
    const tables =
      missing.length > 0
        ? [found('sqlite-migrations', `the tables lack version ${missing.join(', ')}`)]
        : missingIndexes(states, rows).map((name) => found('sqlite-index', `the index ${name} is missing`));
    const setting = (name: string): unknown => Object.values(session.now(statement(`pragma ${name}`), [])[0] ?? {})[0];
    const journal = setting('journal_mode');
    return [
      ...writeFindings(session),
      ...tables,
      ...(journal === 'wal' || journal === 'memory'
        ? []
        : [found('sqlite-journal', `journal_mode is ${String(journal)}`)]),
      ...(setting('busy_timeout') === 0 ? [found('sqlite-timeout', 'the database has no timeout')] : []),
    ];
  } catch (error) {
    return [found('sqlite-unreadable', `the database cannot be inspected: ${String(error)}`)];
  }
}

function writeFindings(session: Session): Finding[] {
  try {
    session.tryToWrite();
    return [];
  } catch (error) {
    // While another process writes, nothing is known.
    if (/ is (?:locked|busy)/.test(String(error))) return [];
    return [found('sqlite-unwritable', `the database cannot be written: ${String(error)}`)];
  }
}
