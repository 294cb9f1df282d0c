import { type Finding, finder, type FindingTable } from '../../lib/kernel/finding.ts';
import type { MigrationState } from '../../lib/records/maintenance.ts';
import { missingIndexes } from '../sql/migrate.ts';
import { type Row, statement } from '../sql/sql.ts';
import { timeOfEvent } from '../../lib/observe/event-id.ts';
import type { PostgresPool } from './options.ts';
import { missingRights } from './rights.ts';
import type { CallPostgres, Session } from './session.ts';
import { settled } from './statements.ts';

/** What `diagnose` of `postgresStore` can find. @internal */
export const postgresFindings = {
  /** PostgreSQL replied with an error, or not within the deadline. */
  'postgres-unreachable': ['error', 'start PostgreSQL, and check the address and credentials of the pool'],
  /** The role of the pool lacks a privilege on the schema or a table. */
  'postgres-rights': [
    'error',
    'run the statement as the owner of the tables. docs/operate/postgres.md (Rights) lists all that the role needs',
  ],
  /** PostgreSQL is older than 14. */
  'postgres-version': ['error', 'use PostgreSQL 14 or later'],
  /** The tables are missing or older than this release. */
  'postgres-migrations': ['error', 'run campus-oidc store migrate, or store.migrate()'],
  /** An index of the tables is missing or invalid. */
  'postgres-index': [
    'error',
    'create it again. campus-oidc store status --sql prints the statement when it runs on an empty database',
  ],
  /** The server is a replica, or its transactions are read-only. */
  'postgres-read-only': [
    'error',
    'connect to the primary. A replica refuses writes, and may not know of a revocation yet',
  ],
  /** The clocks of this machine and of PostgreSQL differ by more than 5 seconds. */
  'postgres-clock': ['error', 'synchronize the clocks of both machines (NTP)'],
  /** Autovacuum is off for the server or a table. */
  'postgres-autovacuum': ['warning', 'turn autovacuum on. Each refresh leaves dead rows'],
  /** `synchronous_commit` is off. */
  'postgres-commit': [
    'warning',
    'set synchronous_commit on. Without it, a crash undoes confirmed redemptions and revocations',
  ],
  /** A transaction has been open for more than a minute, so `campus.log.read` finds nothing that was written since. */
  'postgres-log-waits': [
    'warning',
    'end the transaction, which pg_stat_activity or pg_prepared_xacts shows: all log.read calls wait for it',
  ],
  /** `statement_timeout` is 0. */
  'postgres-timeout': [
    'info',
    'set statement_timeout of the role a little above the deadline. Otherwise a statement that waits for a lock can run after its caller got 503',
  ],
  /** The pool has no listener for `error`. */
  'postgres-errors': [
    'warning',
    'add a listener for the event "error" of the pool. Without it, a lost connection ends the process',
  ],
  /** `connectionTimeoutMillis` of the pool is not set. */
  'postgres-connect': [
    'warning',
    'set connectionTimeoutMillis of the pool. Without it, a connection that hangs keeps its place',
  ],
  /** A prepared statement was lost, as happens behind a pooler. */
  'postgres-pooler': [
    'info',
    'let the pooler keep prepared statements (PgBouncer 1.21: max_prepared_statements). Other statements cost more',
  ],
} as const satisfies FindingTable;

const found = finder(postgresFindings);

const facts =
  statement(`select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
  pg_is_in_recovery() or current_setting('transaction_read_only')::bool as read_only, current_setting('autovacuum') as autovacuum,
  current_setting('synchronous_commit') as commit, current_setting('statement_timeout') as timeout,
  date_part('epoch', clock_timestamp()) as now`);

interface Diagnosed {
  readonly call: CallPostgres;
  readonly pool: PostgresPool;
  readonly schema: string;
  readonly migrations: () => Promise<readonly MigrationState[]>;
}

/** Inspects server, rights, tables and pool. Changes nothing and never rejects. */
export async function diagnose({ call, pool, schema, migrations }: Diagnosed): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    const missing = await call(async (session) => {
      const before = Date.now();
      const [row = {}] = await session.run(facts, []);
      findings.push(...serverFindings(row, (before + Date.now()) / 2000, session));
      return missingRights(session, schema);
    });
    findings.push(
      ...missing.map(({ role, privileges, grant }) =>
        found('postgres-rights', `the role ${role} of the pool lacks ${privileges}; it needs: ${grant}`),
      ),
    );
    // A role that may not read the steps cannot say more.
    if (missing.every(({ privileges }) => !/usage|select/.test(privileges))) {
      const states = await migrations();
      findings.push(...(await call((session) => tableFindings(session, schema, states))));
    }
  } catch (error) {
    findings.push(found('postgres-unreachable', `PostgreSQL cannot be inspected: ${String(error)}`));
  }
  return [...findings, ...poolFindings(pool)];
}

/** Seconds by which two clocks may differ. Codes live for 60 seconds. */
const maxSkew = 5;

function* serverFindings(row: Row, localTime: number, { isPreparing }: Session): Generator<Finding> {
  if (Number(row['number']) < 140_000)
    yield found('postgres-version', `PostgreSQL has the version ${String(row['version'])}`);
  if (row['read_only'] === true)
    yield found('postgres-read-only', 'the pool is connected to a server that refuses writes');
  if (row['autovacuum'] === 'off') yield found('postgres-autovacuum', 'autovacuum is off');
  if (row['commit'] === 'off') yield found('postgres-commit', 'synchronous_commit is off');
  if (row['timeout'] === '0') yield found('postgres-timeout', 'statement_timeout is not set');
  const ahead = Math.round(Number(row['now']) - localTime);
  if (Math.abs(ahead) > maxSkew) {
    const side = ahead > 0 ? 'ahead of' : 'behind';
    yield found('postgres-clock', `the clock of PostgreSQL is ${Math.abs(ahead)} seconds ${side} that of this process`);
  }
  if (!isPreparing) yield found('postgres-pooler', 'statements are sent whole: a pooler lost prepared ones');
}

async function tableFindings(session: Session, schema: string, states: readonly MigrationState[]): Promise<Finding[]> {
  const missing = states.filter(({ isApplied }) => !isApplied).map(({ version }) => version);
  if (missing.length > 0) return [found('postgres-migrations', `the tables lack version ${missing.join(', ')}`)];
  const valid = statement(`select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = '"${schema}"'::regnamespace and i.indisvalid`);
  const unvacuumed = statement(`select relname as name from pg_class where relnamespace = '"${schema}"'::regnamespace
    and relname like 'campus_%' and reloptions @> array['autovacuum_enabled=false']`);
  const waits = statement(`select id from "${schema}".campus_log where not (${settled}) order by written limit 1`);
  const [first] = await session.run(waits, []);
  const indexes = missingIndexes(states, await session.run(valid, []));
  const tables = (await session.run(unvacuumed, [])).map(({ name }) => String(name));
  return [
    ...(first ? logFindings(String(first['id'])) : []),
    ...indexes.map((name) => found('postgres-index', `the index ${name} is missing or invalid`)),
    ...tables.map((name) => found('postgres-autovacuum', `autovacuum is off for ${name}`)),
  ];
}

/** Milliseconds for which a transaction may be open. */
const maxOpen = 60_000;

function* logFindings(firstWaiting: string): Generator<Finding> {
  const seconds = Math.round((Date.now() - timeOfEvent(firstWaiting)) / 1000);
  if (seconds * 1000 > maxOpen)
    yield found(
      'postgres-log-waits',
      `log.read waits for a transaction: the first event behind it is ${seconds} seconds old`,
    );
}

function* poolFindings(pool: PostgresPool): Generator<Finding> {
  const listeners: unknown = Reflect.get(pool, 'listenerCount');
  if (typeof listeners === 'function' && Reflect.apply(listeners, pool, ['error']) === 0)
    yield found('postgres-errors', 'the pool has no listener for its errors');
  if (pool.options && !(Number(Reflect.get(pool.options, 'connectionTimeoutMillis')) > 0))
    yield found('postgres-connect', 'the pool has no time limit for a new connection');
}
