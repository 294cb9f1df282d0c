import { type Grantee, granteeName, granteeNamed } from '../../lib/records/grantee.ts';
import type { GivenGrant, PageQuery, StorePage, UsedGrantee } from '../../lib/records/store.ts';
import { pageOf, type Place, placeIn, sizeOf } from '../shared/places.ts';
import { type Dialect, type Row, type SiteRows, type Sql, type Statement, statement } from './sql.ts';

/** The first page of an order, and one after a place. */
interface PageStatements {
  readonly first: Statement;
  readonly after: Statement;
}

/** What reads the order of clients and apps, and the grants to them. */
export interface UseStatements {
  readonly count: Statement;
  readonly clients: PageStatements;
  readonly grantsToClient: PageStatements;
  readonly grantsToApp: PageStatements;
}

export function useStatements({ now, table, each }: Dialect): UseStatements {
  const grants = table('grant');
  // What has expired and is not purged yet. A client that has grants with an app has no others.
  const expired = (column: string): string =>
    `select count(*) from ${grants} g where g.site = u.site and ${column} = u.name and g.expires <= ${now}`;
  const used = `u.name, u.hidden_id, u.grants, u.grants - case when substr(u.name, 1, 1) = '@'
    then (${expired('g.app')}) else (${expired('g.client')}) end as live from ${table('use')} u`;
  const givenTo = (column: string): PageStatements =>
    inPages(
      `select name, member, expires from ${grants} where site = $1 and ${column} = $3 and expires > ${now}`,
      'expires <= $4 and (expires, name) < ($4, $5)',
      'expires desc, name desc',
    );
  const names = `(select e.value from ${each.text})`;
  return {
    // The grants to a client of an app are counted one by one: they are few.
    count: statement(`select name, live as count from (select ${used} where u.site = $2 and u.name in ${names}) counted
      union all select client, count(*) from ${grants}
      where site = $2 and client in ${names} and app is not null and expires > ${now} group by client`),
    clients: inPages(
      `select ${used} where u.site = $1`,
      'u.grants <= $3 and (u.grants, u.name) < ($3, $4)',
      'u.grants desc, u.name desc',
    ),
    grantsToClient: givenTo('client'),
    grantsToApp: givenTo('app'),
  };
}

/** $2 the size of a page */
function inPages(select: string, isAfter: string, order: string): PageStatements {
  const end = `order by ${order} limit $2`;
  return { first: statement(`${select} ${end}`), after: statement(`${select} and ${isAfter} ${end}`) };
}

export async function countGrants(
  sql: Sql,
  its: UseStatements,
  { site }: SiteRows,
  grantees: readonly Grantee[],
): Promise<number[]> {
  const names = grantees.map(granteeName);
  const rows = await sql.run(its.count, [JSON.stringify(names), site]);
  const counts = new Map(rows.map(({ name, count }) => [name, Number(count)]));
  return names.map((name) => counts.get(name) ?? 0);
}

/** The column has whole numbers up to this. */
const maxGrants = 2 ** 31 - 1;

export async function clientsByUse(
  sql: Sql,
  { clients }: UseStatements,
  { site }: SiteRows,
  query: PageQuery,
): Promise<StorePage<UsedGrantee>> {
  const [place, size] = [placeIn(query), sizeOf(query)];
  const rows = place
    ? await sql.run(clients.after, [site, size, Math.trunc(Math.min(place.number, maxGrants)), place.name])
    : await sql.run(clients.first, [site, size]);
  const entries = rows
    .map((row) => ({ ...granteeNamed(String(row['name']), row['hidden_id']), grants: Number(row['live']) }))
    .filter(({ grants }) => grants > 0)
    .sort((a, b) => b.grants - a.grants);
  return pageOf(entries, placesOf(rows, 'grants'), size);
}

export async function grantsOf(
  sql: Sql,
  its: UseStatements,
  { site }: SiteRows,
  query: Grantee & PageQuery,
): Promise<StorePage<GivenGrant>> {
  const [place, size] = [placeIn(query), sizeOf(query)];
  const { first, after } = 'app' in query ? its.grantsToApp : its.grantsToClient;
  const values = [site, size, granteeName(query)];
  const rows = place ? await sql.run(after, [...values, place.number, place.name]) : await sql.run(first, values);
  const entries = rows.map((row) => ({ id: textIn(row, 'name'), memberId: textIn(row, 'member') }));
  return pageOf(entries, placesOf(rows, 'expires'), size);
}

function textIn(row: Row, column: string): string {
  return decodeURIComponent(String(row[column]));
}

function placesOf(rows: readonly Row[], column: string): Place[] {
  return rows.map((row) => ({ number: Number(row[column]), name: String(row['name']) }));
}
