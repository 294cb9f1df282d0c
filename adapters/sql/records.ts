import {
  clientName,
  isToken,
  type ListedKind,
  nameOf,
  type NewRecord,
  type RecordKind,
  type StoredRecord,
} from '../../lib/contracts/record.ts';
import type { FindOptions, GrantFilter } from '../../lib/contracts/store.ts';
import { almostNever, type CallSql, never, type Row, SiteRows, type Sql } from './sql.ts';
import { pageSize, type Statements } from './statements.ts';

export async function find(
  sql: Sql,
  its: Statements,
  siteId: string,
  kind: RecordKind,
  id: string,
  { withGrant = false }: FindOptions = {},
): Promise<StoredRecord | undefined> {
  const values = [new SiteRows(siteId).record(kind, id)];
  if (!isToken(kind)) {
    const [row] = await sql.run(kind === 'Grant' ? its.findGrant : its.findRecord, values);
    return row && (kind === 'Grant' ? grantOf(row) : { record: String(row['record']) });
  }
  const [row] = await sql.run(withGrant ? its.findTokenWithGrant : its.findToken, values);
  if (!row) return undefined;
  const consumed = row['consumed'] === null ? undefined : Number(row['consumed']);
  const found = { record: String(row['record']), familyId: decodeURIComponent(String(row['family'])), consumed };
  return withGrant ? { ...found, grant: grantOf(row) } : found;
}

function grantOf(row: Row): StoredRecord {
  const given = row['devices'];
  const families = (typeof given === 'string' ? given : '').matchAll(/([^,=]+)=([^,]+)/g);
  const devices = [...families].map(([, name = '', end]) => {
    // SQLite and PostgreSQL have other words for `Infinity`.
    const last = Math.min(Number(end) || never, Number(row['grant_expires']));
    return { familyId: decodeURIComponent(name), ...(last < almostNever && { refreshUntil: Math.ceil(last) }) };
  });
  return { record: String(row['grant_record']), epoch: Number(row['epoch']), devices };
}

/** Writes a grant, or a record that is no code or token. */
export async function save(sql: Sql, its: Statements, siteId: string, entry: NewRecord): Promise<boolean> {
  const { kind, id, record, ttl = never, replaces, memberId = '', clientId = '' } = entry;
  const rows = new SiteRows(siteId);
  const isGrant = kind === 'Grant';
  const { put, add, replace, has, removeExpired } = isGrant ? its.grants : its.records;
  const key = rows.record(kind, id);
  const name = nameOf(kind, id);
  const first = [key, Math.max(ttl, 0), record, Number((isGrant ? entry.endsAccessTokens : entry.listed) === true)];
  const whole = [
    ...first,
    rows.site,
    name,
    ...(isGrant ? [encodeURIComponent(memberId), clientName(clientId)] : [kind]),
  ];
  const write = async (): Promise<boolean> => {
    if (typeof replaces === 'string') return some(await sql.write(replace, [...first, replaces]));
    return some(await sql.write(replaces === null ? add : put, whole));
  };
  if (await write()) return true;
  // What has expired is as if it had never been there: also its families.
  if (typeof replaces !== 'string') {
    const cleared = some(await sql.write(removeExpired, [key]));
    if ((cleared || replaces === undefined) && (await write())) return true;
  }
  if (replaces === undefined) throw new Error('a record that expires at this moment was not written');
  return some(await sql.run(has, [key, record]));
}

export async function remove(
  sql: Sql,
  its: Statements,
  siteId: string,
  kind: RecordKind,
  id: string,
): Promise<boolean> {
  const table = kind === 'Grant' ? its.grants : its.records;
  return some(await sql.write(isToken(kind) ? its.removeToken : table.remove, [new SiteRows(siteId).record(kind, id)]));
}

export async function list(sql: Sql, its: Statements, siteId: string, kind: ListedKind): Promise<string[]> {
  const rows = await sql.run(its.list, [new SiteRows(siteId).site, kind]);
  return rows.map(({ record }) => String(record));
}

export async function grantIds(sql: Sql, its: Statements, siteId: string, memberId: string): Promise<string[]> {
  const rows = await sql.run(its.grantIds, [new SiteRows(siteId).site, encodeURIComponent(memberId)]);
  return rows.map(({ name }) => decodeURIComponent(String(name)));
}

export async function countGrants(
  sql: Sql,
  its: Statements,
  siteId: string,
  clientIds: readonly string[],
): Promise<number[]> {
  const names = clientIds.map(clientName);
  const rows = await sql.run(its.countGrants, [JSON.stringify(names), new SiteRows(siteId).site]);
  const counts = new Map(rows.map(({ client, count }) => [client, Number(count)]));
  return names.map((name) => counts.get(name) ?? 0);
}

/** Removes grants, page by page. Each page has its own deadline. */
export async function revoke(call: CallSql, its: Statements, siteId: string, filter: GrantFilter): Promise<number> {
  const rows = new SiteRows(siteId);
  if ('memberId' in filter && filter.grantId !== undefined) {
    const values = [rows.record('Grant', filter.grantId), rows.site, encodeURIComponent(filter.memberId)];
    return (await call((sql) => sql.write(its.revokeOne, values))).length;
  }
  const [page, of] =
    'clientId' in filter
      ? [its.revokeOfClient, clientName(filter.clientId)]
      : [its.revokeOfMember, encodeURIComponent(filter.memberId)];
  let revoked = 0;
  for (;;) {
    const { length } = await call((sql) => sql.write(page, [rows.site, of]));
    revoked += length;
    if (length < pageSize) return revoked;
  }
}

function some(rows: readonly Row[]): boolean {
  return rows.length > 0;
}
