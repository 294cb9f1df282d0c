import { isRecordKind, isToken, type RecordKind } from '../../lib/records/record.ts';
import type { CopiedRecord, RecordPlace, StoreTransfer } from '../../lib/records/store-copy.ts';
import { almostNever, type CallSql, type Dialect, type Row, rowKey, type Statement, statement } from './sql.ts';
import { liveToken } from './statements.ts';

/** Rows of one page. */
const pageSize = 500;

const tables = ['grant', 'token', 'record'] as const;
type Table = (typeof tables)[number];

/** The columns of the tables that are copied, beside `key` and `expires`, by their types. */
const columns = {
  grant: { site: 'text', name: 'text', member: 'text', client: 'text', record: 'text', epoch: 'integer' },
  family: { of_grant: '', name: 'text', refresh_until: 'double precision' },
  token: { family: '', consumed: 'double precision', epoch: 'integer', kind: 'text', name: 'text', record: 'text' },
  record: { listed: 'boolean', kind: 'text', site: 'text', name: 'text', record: 'text' },
} as const satisfies Record<Table | 'family', Readonly<Record<string, string>>>;

/** Copies records of this database to and from other stores. Lists of keys and rows are JSON in one parameter. */
export function transferOf(call: CallSql, dialect: Dialect): StoreTransfer {
  const its = statementsOf(dialect);
  const run = (text: Statement, value: unknown): Promise<readonly Row[]> =>
    call((sql) => sql.run(text, [typeof value === 'string' ? value : JSON.stringify(value)]));
  const runIfAny = async (text: Statement, values: readonly unknown[]): Promise<readonly Row[]> =>
    values.length > 0 ? run(text, values) : [];
  const records = async (rows: readonly Row[]): Promise<CopiedRecord[]> => {
    const grants = rows.filter(({ kind }) => kind === 'Grant').map(({ key }) => key);
    const families = Map.groupBy(await runIfAny(its.families, grants), (row) => row['of_grant']);
    return rows.map((row) => recordOf(row, families.get(row['key']) ?? []));
  };
  return {
    page: async (from) => {
      const [name = '', after = '0'.repeat(32)] = from.split(' ');
      const at = tables.find((each) => each === name) ?? 'grant';
      const rows = await run(its[at].page, after);
      const next = rows.length === pageSize ? `${at} ${String(rows.at(-1)?.['key'])}` : tables[tables.indexOf(at) + 1];
      return { records: await records(rows), next };
    },
    look: async (places) => {
      const found = new Map<string, CopiedRecord>();
      for (const name of tables) {
        const rows = await runIfAny(its[name].some, keysIn(places, name));
        for (const record of await records(rows)) found.set(keyOf(record), record);
      }
      return places.map((place) => found.get(keyOf(place)));
    },
    put: async (given) => {
      const rows = given.map(rowOf);
      const of = (name: Table): readonly object[] => rows.filter((_, i) => given[i] && tableOf(given[i].kind) === name);
      await runIfAny(its.grant.write, of('grant'));
      await runIfAny(its.endFamilies, keysIn(given, 'grant'));
      await runIfAny(its.writeFamilies, given.flatMap(familyRows));
      await runIfAny(its.token.write, of('token'));
      await runIfAny(its.record.write, of('record'));
    },
    drop: async (places) => {
      for (const name of tables) await runIfAny(its[name].drop, keysIn(places, name));
    },
  };
}

function statementsOf(dialect: Dialect) {
  const { now, table, keyType, each, infinity } = dialect;
  // A column that a later release adds would end a prepared `select *`.
  const select = (name: Table | 'family', kind = ''): string =>
    `select ${kind} key, expires, ${Object.keys(columns[name]).join(', ')} from ${table(name)} where expires > ${now}`;
  const keys = `select cast(e.value as ${keyType}) from ${each.text}`;
  const write = (name: Table | 'family'): Statement => {
    const of = Object.entries(columns[name]);
    const values = of.map(([column, type]) => `cast(e.value->>'${column}' as ${type || keyType})`);
    return statement(`insert into ${table(name)} (key, expires, ${of.map(([column]) => column).join(', ')})
      select cast(e.value->>'key' as ${keyType}), coalesce(cast(e.value->>'expires' as double precision), ${infinity}), ${values.join(', ')}
      from ${each.object} where true on conflict (key) do update set expires = excluded.expires,
      ${of.map(([column]) => `${column} = excluded.${column}`).join(', ')}`);
  };
  const all = (name: Table, text: string, key: string) => ({
    page: statement(`${text} and ${key} > $1 order by ${key} limit ${pageSize}`),
    some: statement(`${text} and ${key} in (${keys})`),
    write: write(name),
    drop: statement(`delete from ${table(name)} where key in (${keys})`),
  });
  return {
    grant: all('grant', select('grant', `'Grant' as kind,`), 'key'),
    token: all(
      'token',
      `select t.key, t.kind, t.name, t.record, t.expires, t.consumed, t.epoch, g.site, g.name as grant_name, f.name as family
        from ${liveToken(dialect)} where t.expires > ${now} and (t.epoch is null or t.epoch = g.epoch)`,
      't.key',
    ),
    record: all('record', select('record'), 'key'),
    families: statement(`${select('family')} and of_grant in (${keys})`),
    endFamilies: statement(`delete from ${table('family')} where of_grant in (${keys})`),
    writeFamilies: write('family'),
  };
}

function tableOf(kind: RecordKind): Table {
  return kind === 'Grant' ? 'grant' : isToken(kind) ? 'token' : 'record';
}

function keyOf({ site, kind, name }: RecordPlace): string {
  return rowKey(site, kind, name);
}

function keysIn(places: readonly RecordPlace[], name: Table): string[] {
  return places.filter(({ kind }) => tableOf(kind) === name).map(keyOf);
}

/** The columns of a record. JSON has no infinity: it becomes null. */
function rowOf(record: CopiedRecord): object {
  const { site, kind, grant = '', family = '' } = record;
  return isToken(kind)
    ? { ...record, key: keyOf(record), family: rowKey(site, 'family', `${grant} ${family}`) }
    : { ...record, key: keyOf(record), listed: record.listed ?? false };
}

function familyRows({ site, kind, name: grant, families = [] }: CopiedRecord): object[] {
  return families.map(({ name, expires, refreshUntil }) => ({
    key: rowKey(site, 'family', `${grant} ${name}`),
    of_grant: rowKey(site, kind, grant),
    name,
    expires,
    // Null says that it has no refresh token.
    refresh_until: refreshUntil === Infinity ? almostNever : refreshUntil,
  }));
}

function timeOf(seconds: number): number {
  return seconds >= almostNever ? Infinity : seconds;
}

function recordOf(row: Row, families: readonly Row[]): CopiedRecord {
  const text = (column: string): string => String(row[column]);
  const number = (column: string): number | undefined => (row[column] === null ? undefined : Number(row[column]));
  const kind = text('kind');
  if (!isRecordKind(kind)) throw new Error(`a row has the unknown kind ${kind}`);
  const all = { site: text('site'), kind, name: text('name'), record: text('record'), expires: Number(row['expires']) };
  if (kind === 'Grant') {
    const of = families.map((family) => ({
      name: String(family['name']),
      expires: Number(family['expires']),
      ...(family['refresh_until'] !== null && { refreshUntil: timeOf(Number(family['refresh_until'])) }),
    }));
    return { ...all, member: text('member'), client: text('client'), epoch: number('epoch'), families: of };
  }
  if (!isToken(kind)) return { ...all, listed: row['listed'] === true || row['listed'] === 1 };
  const epoch = kind === 'AccessToken' ? number('epoch') : undefined;
  return { ...all, grant: text('grant_name'), family: text('family'), consumed: number('consumed'), epoch };
}
