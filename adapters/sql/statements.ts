import { type Dialect, type Statement, statement } from './sql.ts';

/** The statements of a table of records: grants, or all that is neither a grant nor a token. */
interface RecordStatements {
  /** Writes unless an expired row is in the way. */
  readonly put: Statement;
  /** Writes if there is none. */
  readonly add: Statement;
  /** Replaces a record if its text is unchanged since it was read: that text is the last parameter before the time. */
  readonly replace: Statement;
  readonly has: Statement;
  readonly remove: Statement;
  readonly removeText: Statement;
  readonly removeExpired: Statement;
}

/** Where a record is that is neither a code nor a token. */
export type OtherTable = 'grant' | 'record';

/** What every SQL store does in the same words. */
export interface Statements {
  readonly grants: RecordStatements;
  readonly records: RecordStatements;
  readonly findToken: Statement;
  readonly findTokenWithGrant: Statement;
  readonly findLine: Statement;
  readonly findLineWithGrant: Statement;
  readonly findGrant: Statement;
  readonly findRecord: Statement;
  /** One of these finders, of so many parameters, with a column `also_0`, `also_1` and so on for other records, by their tables. */
  readonly withOthers: (finder: Statement, parameters: number, tables: readonly OtherTable[]) => Statement;
  readonly removeToken: Statement;
  readonly removeLine: Statement;
  readonly list: Statement;
  readonly grantIds: Statement;
  readonly revokeOne: Statement;
  readonly revokeOfMember: Statement;
  readonly revokeOfClient: Statement;
  readonly ping: Statement;
}

/** How many grants one statement removes: the first to expire, in the order of the index. */
export const pageSize = 500;

export function least(a: string, b: string): string {
  return `case when ${a} < ${b} then ${a} else ${b} end`;
}

/** A code or token `t` with its family `f` and its grant `g`, all of them live. */
export function liveToken({ now, table }: Dialect): string {
  return `${table('token')} t join ${table('family')} f on f.key = t.family and f.expires > ${now}
    join ${table('grant')} g on g.key = f.of_grant and g.expires > ${now}`;
}

/** A family `f` whose line has not expired, and its grant `g`. */
export function liveLine({ now, table }: Dialect): string {
  return `${table('family')} f join ${table('grant')} g
    on g.key = f.of_grant and g.expires > ${now} and f.expires > ${now} and f.refresh_until > ${now}`;
}

export function statements(dialect: Dialect): Statements {
  const { now, table, inTime, forUpdate } = dialect;
  const of = `of_grant = g.key and x.expires > ${now} and x.refresh_until > ${now}`;
  const grant = 'g.record as grant_record, g.epoch';
  const devices = `g.expires as grant_expires,
    (select string_agg(x.name || '=' || x.refresh_until, ',') from ${table('family')} x where x.${of}) as devices`;
  const token = `t.record, t.consumed, ${now} as now, f.name as family`;
  const found = `from ${liveToken(dialect)}
    where t.key = $1 and t.expires > ${now} and (t.epoch is null or t.epoch = g.epoch)`;
  // $1 line, $2 name of the token, $3 key of its response, $4 school. All names but the live one were redeemed.
  const line = `f.record, case when f.live = $2 then null else coalesce(r.redeemed, 1) end as consumed, ${now} as now, f.name as family`;
  const ofLine = `from ${liveLine(dialect)} left join ${table('replay')} r on r.key = $3 and r.expires > ${now}
    where f.line = $1 and g.site = $4`;
  const grants = table('grant');
  const revoke = (which: string): Statement =>
    statement(`delete from ${grants} where key in (select key from ${grants}
      where site = $1 and ${which} and expires > ${now} order by expires limit ${pageSize}${forUpdate}) ${inTime(3)} returning member`);
  return {
    grants: recordStatements(dialect, 'grant', ['epoch', 'site', 'name', 'member', 'client', 'app', 'hidden_id'], {
      kept: [`epoch = c.epoch + excluded.epoch`],
      replaced: [`epoch = c.epoch + $4`],
    }),
    records: recordStatements(dialect, 'record', ['listed', 'site', 'name', 'kind'], {
      kept: ['listed = excluded.listed'],
      replaced: ['listed = $4'],
    }),
    findToken: statement(`select ${token} ${found}`),
    findTokenWithGrant: statement(`select ${token}, ${grant} ${found}`),
    findLine: statement(`select ${line} ${ofLine}`),
    findLineWithGrant: statement(`select ${line}, ${grant} ${ofLine}`),
    findGrant: statement(`select ${grant}, ${devices} from ${grants} g where g.key = $1 and g.expires > ${now}`),
    findRecord: statement(`select record from ${table('record')} where key = $1 and expires > ${now}`),
    withOthers: joined(dialect),
    removeToken: statement(
      `delete from ${table('token')} where key = $1 and exists (select 1 ${found}) ${inTime(2)} returning 1 as done`,
    ),
    removeLine: statement(
      `update ${table('family')} set line = null, live = null, record = null where line = $1 and live = $2
        and exists (select 1 from ${liveLine(dialect)} where f.line = $1 and g.site = $3) ${inTime(4)} returning 1 as done`,
    ),
    list: statement(
      `select record from ${table('record')} where site = $1 and kind = $2 and listed and expires > ${now}`,
    ),
    grantIds: statement(
      `select name from ${grants} where site = $1 and member = $2 and expires > ${now} order by expires desc, name`,
    ),
    revokeOne: statement(
      `delete from ${grants} where key = $1 and site = $2 and member = $3 and expires > ${now} ${inTime(4)} returning member`,
    ),
    revokeOfMember: revoke('member = $2'),
    revokeOfClient: revoke('client = $2'),
    // Reads no row, and fails without the tables.
    ping: statement(`select 1 as done from ${table('record')} where 1 = 0`),
  };
}

/** All of it is read at one moment. What is not there is null. */
function joined({ now, table }: Dialect): Statements['withOthers'] {
  const known = new Map<string, Statement>();
  const text = { record: 'record', grant: `epoch || ' ' || record` };
  return (finder, parameters, tables) => {
    const name = [finder.name, ...tables].join(' ');
    const others = tables.map(
      (of, i) =>
        `(select ${text[of]} from ${table(of)} where key = $${parameters + i + 1} and expires > ${now}) as also_${i}`,
    );
    const made = known.get(name) ?? statement(`select f.*, ${others.join(', ')} from (${finder.text}) f`);
    known.set(name, made);
    return made;
  };
}

/**
 * Those of one table. Writes take key, seconds to live, record and the further columns; `replace` takes only the first of these, and
 * then the record that was read.
 */
function recordStatements(
  { now, table, inTime }: Dialect,
  name: string,
  more: readonly string[],
  changes: { readonly kept: readonly string[]; readonly replaced: readonly string[] },
): RecordStatements {
  const of = table(name);
  const last = 3 + more.length;
  const row = `insert into ${of} as c (key, expires, record, ${more.join(', ')})
    select $1, ${now} + $2, $3, ${more.map((_, i) => `$${i + 4}`).join(', ')} where true ${inTime(last + 1)}`;
  const kept = ['expires = excluded.expires', 'record = excluded.record', ...changes.kept].join(', ');
  const replaced = [`expires = ${now} + $2`, 'record = $3', ...changes.replaced].join(', ');
  return {
    put: statement(`${row} on conflict (key) do update set ${kept} where c.expires > ${now} returning 1 as done`),
    add: statement(`${row} on conflict (key) do nothing returning 1 as done`),
    replace: statement(
      `update ${of} as c set ${replaced} where key = $1 and expires > ${now} and record = $5 ${inTime(6)} returning 1 as done`,
    ),
    has: statement(`select 1 as done from ${of} where key = $1 and record = $2 and expires > ${now}`),
    remove: statement(`delete from ${of} where key = $1 and expires > ${now} ${inTime(2)} returning 1 as done`),
    removeText: statement(
      `delete from ${of} where key = $1 and record = $2 and expires > ${now} ${inTime(3)} returning 1 as done`,
    ),
    removeExpired: statement(`delete from ${of} where key = $1 and expires <= ${now} ${inTime(2)} returning 1 as done`),
  };
}
