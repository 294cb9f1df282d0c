import { maxFamilies } from '../../lib/records/store.ts';
import { type Dialect, type Statement, statement } from '../sql/sql.ts';
import { liveLine, liveToken } from '../sql/statements.ts';
import { inTime } from './session.ts';

/** The time at which the transaction began. */
const now = `date_part('epoch', now())`;

/** The condition that every row of the log before this one is visible. */
export const settled = 'written < pg_snapshot_xmin(pg_current_snapshot())';

export function postgresDialect(schema: string): Dialect {
  const table = (name: string): string => `"${schema}".campus_${name}`;
  return {
    now,
    keyType: 'uuid',
    forUpdate: ' for update',
    table,
    inTime,
    fillfactor: (percent) => ` with (fillfactor = ${percent})`,
    each: { text: 'json_array_elements_text($1::json) e(value)', object: 'json_array_elements($1::json) e(value)' },
    infinity: `'Infinity'::float8`,
    // Numbers of a sequence become visible out of order. What was written by transactions before the oldest one that runs is all there.
    written: {
      column: 'xid8 not null default pg_current_xact_id()',
      key: 'primary key',
      place: (parameter) => `${parameter}::xid8`,
      isSettled: settled,
      isAhead: '$1::xid8 > pg_snapshot_xmax(pg_current_snapshot())',
    },
    triggers: useTriggers(table),
  };
}

/** One run for each statement, however many rows it changes. In the order of their names, so that two that run at once wait, and do not deadlock. */
function useTriggers(table: (name: string) => string): readonly string[] {
  const trigger = (event: string, rows: string): string =>
    `create trigger campus_use_${event} after ${event} on ${table('grant')} referencing ${rows} table as changed
      for each statement execute function ${table('count_use')}()`;
  return [
    `create function ${table('count_use')}() returns trigger language plpgsql as $$ begin
      insert into ${table('use')} as u (site, name, grants, hidden_id)
        select site, coalesce(app, client), count(*) * case tg_op when 'INSERT' then 1 else -1 end, max(hidden_id)
        from changed group by 1, 2 order by 1, 2
        on conflict (site, name) do update set grants = u.grants + excluded.grants;
      delete from ${table('use')} where grants <= 0
        and (site, name) in (select site, coalesce(app, client) from changed);
      return null;
    end $$`,
    trigger('insert', 'new'),
    trigger('delete', 'old'),
  ];
}

/** What a counter is after some more uses: it begins again when its window is over. */
const counted = (uses: string): string => `on conflict (key) do update set
  used = case when c.expires <= ${now} then 0 else c.used end + ${uses},
  expires = case when c.expires <= ${now} then excluded.expires else c.expires end`;

/**
 * Writes a code or token, and starts or prolongs its family. Without its grant, nothing is written.
 *
 * $1 key, $2 key of the grant, $3 key of the family, $4 seconds to live; $5 whether it is a refresh token, $6 name of the family;
 * $7 whether it has the epoch of the grant, $8 record, $9 kind, $10 name
 */
export function saveToken(dialect: Dialect): Statement {
  const { table } = dialect;
  return statement(`with ${familyEnds(dialect, 11)},
    prolonged as (insert into ${table('family')} as c (key, of_grant, expires, refresh_until, name)
      select $3, g.key, g.ends, case when $5::bool then g.ends end, $6 from g
      on conflict (key) do update set expires = greatest(c.expires, excluded.expires),
        refresh_until = coalesce(excluded.refresh_until, c.refresh_until)),
    written as (insert into ${table('token')} (key, family, expires, epoch, record, kind, name)
      select $1, $3, g.ends, case when $7::bool then g.epoch end, $8, $9, $10 from g on conflict (key) ${again})
    select 1 as done from g`);
}

/**
 * Writes a refresh token of a line into its family, which starts or is prolonged.
 *
 * $1 line, $2 key of the grant, $3 key of the family, $4 seconds to live, $5 name of the token, $6 of the family, $7 record
 */
export function saveLine(dialect: Dialect): Statement {
  return statement(`with ${familyEnds(dialect, 8)},
    written as (insert into ${dialect.table('family')} as c (key, of_grant, expires, refresh_until, name, line, live, record)
      select $3, g.key, g.ends, g.ends, $6, $1, $5, $7 from g
      on conflict (key) do update set expires = greatest(c.expires, excluded.expires), refresh_until = excluded.refresh_until,
        line = excluded.line, live = excluded.live, record = excluded.record)
    select 1 as done from g`);
}

/** The grant `g` of what is written, $2, and the end of the families that are in the way of that with key $3. $4 seconds to live */
function familyEnds({ table }: Dialect, late: number): string {
  return `g as materialized (
      select key, epoch, expires, least(expires, ${now} + $4::float8) as ends from ${table('grant')}
      where key = $2 and expires > ${now} ${inTime(late)} for no key update),
    other as materialized (select f.key, f.expires from ${table('family')} f, g where f.of_grant = g.key and f.key <> $3::uuid),
    ended as (delete from ${table('family')} where key in (
      select key from other where expires <= ${now} union all (select key from other where expires > ${now} order by expires
        limit greatest(0, (select count(*) from other where expires > ${now}) - ${maxFamilies - 1}))))`;
}

/** A record with this key is left of an earlier grant. */
const again = `do update set family = excluded.family, expires = excluded.expires, epoch = excluded.epoch,
  record = excluded.record, consumed = null`;

/** What a redemption has to do with lines: what it redeems, and what follows. */
export interface RedeemedLines {
  readonly from: boolean;
  readonly to: boolean;
}

/**
 * Redeems a code or refresh token. The guarded update of its row, or of the family that has its line, lets one call win; everything else
 * depends on that row. A call that waited for the winner does not see its replay: `findReplay` does.
 *
 * $1 key, or the line; $2 of the grant, $3 replay, $4 its seconds to live, $5 the longest of the tokens', $6 that of the refresh tokens,
 * $7 key of the counter, $8 its limit, $9 its window, $10 key of the replay; from a line, name of the token; to a line, the line, name of the
 * token and record; then key, record, seconds to live, epoch, kind and name of each other token
 */
export function redeem(dialect: Dialect, tokens: number, { from, to }: RedeemedLines): Statement {
  const { table } = dialect;
  const [own, next] = ['$11', from ? 12 : 11];
  const first = next + (to ? 3 : 0);
  const rows = Array.from({ length: tokens }, (_, i) => {
    const [key, record, ttl, epoch, kind, name] = [0, 1, 2, 3, 4, 5].map((column) => `$${first + i * 6 + column}`);
    return `(${key}::uuid, ${record}::text, ${ttl}::float8, ${epoch}::int, ${kind}::text, ${name}::text)`;
  });
  const late = inTime(first + tokens * 6);
  const written = `written as (insert into ${table('token')} (key, family, expires, epoch, record, kind, name)
    select a.key, won.family, least(won.ends, ${now} + a.ttl), a.epoch, a.record, a.kind, a.name
    from won, (values ${rows.join(', ')}) a(key, record, ttl, epoch, kind, name) on conflict (key) ${again}),`;
  const prolonged = (ends: string): string => `expires = greatest(c.expires, least(${ends}, ${now} + $5::float8)),
      refresh_until = case when $6::float8 is null then c.refresh_until else least(${ends}, ${now} + $6) end`;
  const successor = to ? `, line = $${next}, live = $${next + 1}, record = $${next + 2}` : '';
  const live = from
    ? `select f.key, f.live = ${own} as unused, g.expires as ends from ${liveLine(dialect)}
      where f.line = $1 and f.of_grant = $2 ${late}`
    : `select t.key, t.consumed is null as unused, g.expires as ends from ${liveToken(dialect)}
      where t.key = $1 and f.of_grant = $2 and t.expires > ${now} ${late}`;
  const won = from
    ? `won as (update ${table('family')} c set ${prolonged('live.ends')}${to ? successor : `, live = ''`} from live
      where c.key = live.key and c.live = ${own} and not exists (select from spent) returning c.key as family, live.ends)`
    : `won as (update ${table('token')} t set consumed = floor(${now}) from live
      where t.key = live.key and t.consumed is null and not exists (select from spent) returning t.family, live.ends),
    prolonged as (update ${table('family')} c set ${prolonged('won.ends')}${successor} from won where c.key = won.family)`;
  return statement(`with live as materialized (${live}),
    spent as materialized (
      select greatest(1, case when c.expires > ${now} then c.expires - ${now} else $9::float8 end) as wait
      from live left join ${table('quota')} c on c.key = $7::uuid
      where live.unused and $7 is not null
        and case when c.expires > ${now} then c.used else 0 end + 1 > $8::float8),
    ${won},
    counted as (insert into ${table('quota')} as c (key, expires, used) select $7, ${now} + $9, 1 from won where $7 is not null
      ${counted('1')} returning 1 / (c.used <= $8)::int),
    ${tokens === 0 ? '' : written}
    kept as (insert into ${table('replay')} (key, expires, sealed, redeemed)
      select $10, ${now} + $4, $3, floor(${now}) from won where $3::text is not null
      on conflict (key) do update set sealed = excluded.sealed, expires = excluded.expires, redeemed = excluded.redeemed)
    select exists (select from won) as won, (select wait from spent) as wait, exists (select from live) as live,
      (select r.sealed from ${table('replay')} r, live where r.key = $10 and r.expires > ${now} and not live.unused) as replay`);
}

/** $1 key of the code or token, or the line; $2 of the replay */
export function findReplay(dialect: Dialect, inLine: boolean): Statement {
  const of = inLine ? `${liveLine(dialect)} where f.line = $1` : `${liveToken(dialect)} where t.key = $1`;
  return statement(
    `select (select r.sealed from ${dialect.table('replay')} r where r.key = $2 and r.expires > ${now}) as replay from ${of}`,
  );
}

/**
 * Counts uses of counters, or none. One that passes its limit meanwhile divides by zero, so nothing is counted. What is
 * counted may be lost in a crash: so the caller need not wait for the disk.
 *
 * $1 uses, $2 window, then key and limit of each; rows without a key are not counted
 */
export function consumeQuota({ table }: Dialect, quotas: number): Statement {
  const rows = Array.from({ length: quotas }, (_, i) => `($${i * 2 + 3}::uuid, $${i * 2 + 4}::float8)`);
  return statement(`with asked as materialized (select key, most from (values ${rows.join(', ')}) a(key, most) where key is not null),
    spent as materialized (select max(case when c.expires > ${now} then c.expires - ${now} else $2::float8 end) as wait
      from asked left join ${table('quota')} c using (key)
      where case when c.expires > ${now} then c.used else 0 end + $1::float8 > most),
    counted as (insert into ${table('quota')} as c (key, expires, used)
      select key, ${now} + $2, $1 from asked where (select wait from spent) is null order by key
      ${counted('$1')} returning c.key, c.used)
    select (select wait from spent) as wait, 1 / (not coalesce(bool_or(used > most), false))::int as counted,
      set_config('synchronous_commit', 'off', true) from counted join asked using (key)`);
}

/**
 * Ends a family and, if it is the last one, its grant. The first statement waits for those that change the grant, and the second sees
 * what they did. Keys are hexadecimal digits.
 */
export function endFamily({ table }: Dialect, grant: string, family: string, notAfter: number): string {
  const condition = inTime(1).replace('$1', String(notAfter));
  const isLive = `expires > ${now}`;
  return `select from ${table('grant')} where key = '${grant}' and ${isLive} ${condition} for update;
    with ended as (delete from ${table('family')} where key = '${family}' and ${isLive}
        and exists (select from ${table('grant')} where key = '${grant}' and ${isLive}) returning key),
      last as (delete from ${table('grant')} where key = '${grant}' and exists (select from ended)
        and not exists (select from ${table('family')} where of_grant = '${grant}' and key <> '${family}' and ${isLive}))
    select 1 as done from ended`;
}
