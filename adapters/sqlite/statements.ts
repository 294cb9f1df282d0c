import { maxFamilies } from '../../lib/records/store.ts';
import { statement } from '../sql/sql.ts';
import { least, liveLine, liveToken } from '../sql/statements.ts';
import { dialect } from './session.ts';

const { now, table } = dialect;

/** The parts of an operation, which run in one transaction. @internal */
export const steps = {
  /** $1 key */
  grant: statement(`select epoch, expires, ${now} as now from ${table('grant')} where key = $1 and expires > ${now}`),
  /** $1 key, $2 family, $3 seconds to live, $4 when the grant ends, $5 epoch, $6 record, $7 kind, $8 name */
  token: statement(`insert into ${table('token')} (key, family, expires, epoch, record, kind, name)
    select $1, $2, ${least(`${now} + $3`, '$4')}, $5, $6, $7, $8 where true on conflict (key) do update set family = excluded.family,
    expires = excluded.expires, epoch = excluded.epoch, record = excluded.record, consumed = null`),
  /**
   * $1 key, $2 grant, $3 when its last token ends, $4 when its last refresh token ends, $5 name; null or its line, the name of the live token
   * and the record: $6, $7, $8
   */
  family:
    statement(`insert into ${table('family')} as c (key, of_grant, expires, refresh_until, name, line, live, record)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (key) do update set
    expires = max(c.expires, excluded.expires), refresh_until = coalesce(excluded.refresh_until, c.refresh_until),
    line = coalesce(excluded.line, c.line), live = coalesce(excluded.live, c.live), record = coalesce(excluded.record, c.record)`),
  /** $1 grant, $2 the family to keep */
  endFamilies:
    statement(`delete from ${table('family')} where of_grant = $1 and key <> $2 and (expires <= ${now} or key in (
    select key from ${table('family')} where of_grant = $1 and key <> $2 and expires > ${now}
    order by expires desc limit -1 offset ${maxFamilies - 1}))`),
  /** $1 key, $2 grant */
  redeemable: statement(`select t.family, t.consumed, g.expires, ${now} as now from ${liveToken(dialect)}
    where t.key = $1 and f.of_grant = $2 and t.expires > ${now}`),
  /** $1 line, $2 grant, $3 name of the token */
  redeemableLine:
    statement(`select f.key as family, case when f.live = $3 then null else 1 end as consumed, g.expires, ${now} as now
    from ${liveLine(dialect)} where f.line = $1 and f.of_grant = $2`),
  /** $1 family */
  consumeLine: statement(`update ${table('family')} set live = '' where key = $1`),
  /** $1 key */
  consume: statement(`update ${table('token')} set consumed = cast(${now} as integer) where key = $1`),
  /** $1 key, $2 what it is, $3 seconds to live */
  replay: statement(`insert into ${table('replay')} (key, sealed, expires, redeemed)
    values ($1, $2, ${now} + $3, cast(${now} as integer)) on conflict (key) do update set sealed = excluded.sealed,
    expires = excluded.expires, redeemed = excluded.redeemed`),
  /** $1 key */
  findReplay: statement(`select sealed from ${table('replay')} where key = $1 and expires > ${now}`),
  /** $1 key */
  counter: statement(
    `select used, expires - ${now} as wait from ${table('quota')} where key = $1 and expires > ${now}`,
  ),
  /** $1 key, $2 window, $3 uses */
  count: statement(`insert into ${table('quota')} as c (key, expires, used) values ($1, ${now} + $2, $3)
    on conflict (key) do update set used = case when c.expires <= ${now} then 0 else c.used end + excluded.used,
    expires = case when c.expires <= ${now} then excluded.expires else c.expires end`),
  /** $1 key, $2 grant */
  endFamily: statement(`delete from ${table('family')} where key = $1 and expires > ${now}
    and exists (select 1 from ${table('grant')} where key = $2 and expires > ${now}) returning 1 as done`),
  /** $1 key */
  endGrant: statement(`delete from ${table('grant')} where key = $1
    and not exists (select 1 from ${table('family')} where of_grant = $1 and expires > ${now})`),
};
