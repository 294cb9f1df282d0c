import { isRecordKind, isToken, lineOf } from '../../lib/records/record.ts';
import type { CopiedRecord, RecordPlace, StoreTransfer } from '../../lib/records/store-copy.ts';
import { almostNever, type CallSql, type Dialect, type Row, rowKey, type Statement, statement } from './sql.ts';
import { liveLine, liveToken } from './statements.ts';

/** Rows of one page. */
const pageSize = 500;

/** Digests of schools are not negative. */
const leastSchool = '-1';

/** A line is in the row of its family, and copied under the id of its live token. */
const places = ['grant', 'token', 'line', 'record'] as const;
type Place = (typeof places)[number];
type Table = Exclude<Place, 'line'>;

/** The columns of the tables that are copied, beside `key` and `expires`, by their types. */
const columns = {
  grant: {
    site: 'text',
    name: 'text',
    member: 'text',
    client: 'text',
    app: 'text',
    hidden_id: 'text',
    record: 'text',
    epoch: 'integer',
  },
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
      const at = places.find((each) => each === name) ?? 'grant';
      const rows = await run(its[at].page, after);
      const next = rows.length === pageSize ? `${at} ${String(rows.at(-1)?.['key'])}` : places[places.indexOf(at) + 1];
      return { records: await records(rows), next };
    },
    look: async (wanted) => {
      const found = new Map<string, CopiedRecord>();
      for (const name of places) {
        const rows = await runIfAny(its[name].some, keysIn(wanted, name));
        for (const record of await records(rows)) found.set(keyOf(record), record);
      }
      return wanted.map((place) => found.get(keyOf(place)));
    },
    put: async (given) => {
      const of = (name: Place): object[] => given.filter((record) => placeOf(record) === name).map(rowOf);
      const families = given.flatMap(familyRows);
      await runIfAny(its.grant.write, of('grant'));
      // A family that stays keeps its line.
      const grants = keysIn(given, 'grant');
      if (grants.length > 0) await run(its.endFamilies, [...grants, ...families.map(({ key }) => key)]);
      await runIfAny(its.writeFamilies, families);
      await runIfAny(its.token.write, of('token'));
      await runIfAny(its.line.write, of('line'));
      await runIfAny(its.record.write, of('record'));
    },
    drop: async (ended) => {
      for (const name of places) await runIfAny(its[name].drop, keysIn(ended, name));
    },
    logSchools: async (from) => {
      const rows = await run(its.logSchools, from || leastSchool);
      const next = rows.length === pageSize ? String(rows.at(-1)?.['school']) : undefined;
      return { siteIds: rows.map(({ site }) => String(site)), next };
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
    line: linesOf(dialect),
    families: statement(`${select('family')} and of_grant in (${keys})`),
    // One look into the key for each school, however many entries it has.
    logSchools: statement(`with recursive schools (number, school) as (
        select 1, (select min(school) from ${table('log')} where school > cast($1 as bigint))
        union all select number + 1, (select min(l.school) from ${table('log')} l where l.school > schools.school)
          from schools where school is not null and number < ${pageSize})
      select school, (select l.site from ${table('log')} l where l.school = schools.school limit 1) as site
        from schools where school is not null`),
    endFamilies: statement(`delete from ${table('family')} where of_grant in (${keys}) and key not in (${keys})`),
    writeFamilies: write('family'),
  };
}

const textIn = (column: string): string => `cast(e.value->>'${column}' as text)`;

/** A line is looked up by its name, as its key is that of its family. */
function linesOf(dialect: Dialect) {
  const { table, keyType, each, infinity } = dialect;
  const text = `select f.key, 'RefreshToken' as kind, f.line || '~' || f.live as name, f.record, f.refresh_until as expires, null as consumed,
    g.site, g.name as grant_name, f.name as family from ${liveLine(dialect)} where f.line is not null and f.live <> ''`;
  return {
    page: statement(`${text} and f.key > $1 order by f.key limit ${pageSize}`),
    some: statement(`${text} and f.line || '~' || f.live in (select cast(e.value as text) from ${each.text})
      and f.line in (select substr(cast(e.value as text), 1, 22) from ${each.text})`),
    write:
      statement(`update ${table('family')} as c set line = ${textIn('line')}, live = ${textIn('live')}, record = ${textIn('record')},
      refresh_until = coalesce(cast(e.value->>'expires' as double precision), ${infinity})
      from ${each.object} where c.key = cast(e.value->>'family' as ${keyType})`),
    drop: statement(`update ${table('family')} set line = null, live = null, record = null
      where line in (select substr(cast(e.value as text), 1, 22) from ${each.text})
      and line || '~' || live in (select cast(e.value as text) from ${each.text})`),
  };
}

function placeOf({ kind, name }: RecordPlace): Place {
  if (kind === 'Grant') return 'grant';
  if (!isToken(kind)) return 'record';
  return lineOf(kind, name) ? 'line' : 'token';
}

function keyOf({ site, kind, name }: RecordPlace): string {
  return rowKey(site, kind, name);
}

/** What the statements for these places look for: keys, or the names of lines. */
function keysIn(all: readonly RecordPlace[], at: Place): string[] {
  return all.filter((place) => placeOf(place) === at).map((place) => (at === 'line' ? place.name : keyOf(place)));
}

/** The columns of a record. JSON has no infinity: it becomes null. */
function rowOf(record: CopiedRecord): object {
  const { site, kind, name, grant = '', family = '' } = record;
  if (!isToken(kind)) {
    return { ...record, key: keyOf(record), listed: record.listed ?? false, hidden_id: record.hiddenId };
  }
  const { line, token: live } = lineOf(kind, name) ?? {};
  return { ...record, key: keyOf(record), family: rowKey(site, 'family', `${grant} ${family}`), line, live };
}

function familyRows({ site, kind, name: grant, families = [] }: CopiedRecord) {
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
    const given = (column: string): string | undefined => (row[column] === null ? undefined : text(column));
    const parties = { member: text('member'), client: text('client'), app: given('app'), hiddenId: given('hidden_id') };
    return { ...all, ...parties, epoch: number('epoch'), families: of };
  }
  if (!isToken(kind)) return { ...all, listed: row['listed'] === true || row['listed'] === 1 };
  const epoch = kind === 'AccessToken' ? number('epoch') : undefined;
  return { ...all, grant: text('grant_name'), family: text('family'), consumed: number('consumed'), epoch };
}
