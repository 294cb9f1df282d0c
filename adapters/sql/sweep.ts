import { isRecordKind, type RecordKind } from '../../lib/records/record.ts';
import type { Store } from '../../lib/records/store.ts';
import { type CallSql, type Dialect, type Row, rowKey, SiteRows, type Statement, statement } from './sql.ts';

/** Rows of whichever school that one step looks at. */
const pageSize = 1000;

/**
 * Grants first, so that all codes and tokens of a school that leaves end at the start. Families go with them, and so do lines, which are in the
 * rows of families.
 */
const tables = ['grant', 'token', 'line', 'record'] as const;
type Table = Exclude<(typeof tables)[number], 'line'>;

/** A row tells its school by its key, which is made of school, kind and name: codes and tokens have no column for it. A line has its grant. */
export function sweeper(call: CallSql, dialect: Dialect): NonNullable<Store['sweep']> {
  const statements = statementsOf(dialect);
  return (siteId, from, removes) =>
    call(async (sql) => {
      const { site } = new SiteRows(siteId);
      const [name = '', after = '0'.repeat(32)] = from.split(' ');
      const at = tables.find((each) => each === name) ?? 'grant';
      const its = statements[at];
      const page = await sql.run(its.page, [after]);
      const kinds = kindsIn(site, page);
      const keysOf = (): string => JSON.stringify([...kinds.keys()]);
      if (typeof removes === 'function' && kinds.size > 0) {
        for (const { key, record } of await sql.run(its.look, [keysOf()])) {
          const kind = kinds.get(digits(key));
          if (kind && !removes(kind, String(record))) kinds.delete(digits(key));
        }
      }
      if (removes !== false && kinds.size > 0) {
        if (at === 'token') await sql.write(statements.dropReplays, [keysOf()]);
        await sql.write(its.drop, [keysOf()]);
      }
      const records: Partial<Record<RecordKind, number>> = {};
      for (const kind of kinds.values()) records[kind] = (records[kind] ?? 0) + 1;
      const last = digits(page.at(-1)?.['key']);
      return { records, next: page.length === pageSize ? `${at} ${last}` : tables[tables.indexOf(at) + 1] };
    });
}

/** The rows of a school, by key. */
function kindsIn(site: string, page: readonly Row[]): Map<string, RecordKind> {
  const kinds = new Map<string, RecordKind>();
  for (const row of page) {
    const [key, kind] = [digits(row['key']), String(row['kind'])];
    if (!isRecordKind(kind)) continue;
    const isHere = row['site'] === undefined ? rowKey(site, kind, String(row['name'])) === key : row['site'] === site;
    if (isHere) kinds.set(key, kind);
  }
  return kinds;
}

/** PostgreSQL writes a key with hyphens. */
function digits(key: unknown): string {
  return String(key).replaceAll('-', '');
}

function statementsOf({ table, keyType, each, inTime }: Dialect) {
  const keys = `select cast(e.value as ${keyType}) from ${each.text}`;
  const drop = (name: string): Statement =>
    statement(`delete from ${table(name)} where key in (${keys}) ${inTime(2)} returning 1 as done`);
  const of = (name: Table, kind: string) => ({
    page: statement(
      `select key, ${kind} as kind, name from ${table(name)} where key > $1 order by key limit ${pageSize}`,
    ),
    look: statement(`select key, record from ${table(name)} where key in (${keys})`),
    drop: drop(name),
  });
  return {
    grant: of('grant', `'Grant'`),
    token: of('token', 'kind'),
    line: {
      page: statement(`select f.key, 'RefreshToken' as kind, g.site from ${table('family')} f join ${table('grant')} g on g.key = f.of_grant
        where f.line is not null and f.key > $1 order by f.key limit ${pageSize}`),
      look: statement(`select key, record from ${table('family')} where key in (${keys})`),
      drop: statement(`update ${table('family')} set line = null, live = null, record = null
        where key in (${keys}) ${inTime(2)} returning 1 as done`),
    },
    record: of('record', 'kind'),
    dropReplays: drop('replay'),
  };
}
