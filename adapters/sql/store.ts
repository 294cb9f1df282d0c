import { appName, clientName, hidesId } from '../../lib/records/grantee.ts';
import {
  isToken,
  nameOf,
  type NewRecord,
  type RecordKind,
  type StoredDevice,
  type StoredRecord,
} from '../../lib/records/record.ts';
import type { FindOptions, GrantFilter, Quota, Store } from '../../lib/records/store.ts';
import { almostNever, type CallSql, never, type Row, SiteRows, type Sql, type Statement } from './sql.ts';
import { type OtherTable, pageSize, type Statements } from './statements.ts';
import { clientsByUse, countGrants, grantsOf, type UseStatements } from './use.ts';

/** What each database does in its own way: one statement, or one short transaction. */
export interface OwnOperations extends Pick<Store, 'redeem' | 'endFamily'> {
  readonly saveToken: Store['save'];
  readonly consumeQuota: (...use: Required<Parameters<Store['consumeQuota']>>) => ReturnType<Store['consumeQuota']>;
}

/** Makes the calls of a store: `series` makes any number, each within the time that is left now. */
export interface SqlCalls {
  readonly call: CallSql;
  readonly series: () => CallSql;
}

/** The methods that every SQL store has in common. */
export function storeOver(
  its: Statements,
  itsUse: UseStatements,
  { call, series }: SqlCalls,
  own: OwnOperations,
): Store {
  return {
    find: async (siteId, kind, id, options) =>
      call((sql) => find(sql, its, new SiteRows(siteId), { kind, id, ...options })),
    save: (siteId, entry) =>
      isToken(entry.kind) ? own.saveToken(siteId, entry) : call((sql) => save(sql, its, siteId, entry)),
    remove: async (siteId, kind, id, text) => {
      const { remove } = kind === 'Grant' ? its.grants : its.records;
      const rows = new SiteRows(siteId);
      const key = rows.record(kind, id);
      if (text !== undefined) return some(await call((sql) => sql.write(its.records.removeText, [key, text])));
      const line = rows.line(kind, id);
      if (line) return some(await call((sql) => sql.write(its.removeLine, [line.line, line.token, rows.site])));
      return some(await call((sql) => sql.write(isToken(kind) ? its.removeToken : remove, [key])));
    },
    redeem: (siteId, redemption) => own.redeem(siteId, redemption),
    list: async (siteId, kind) => {
      const rows = await call((sql) => sql.run(its.list, [new SiteRows(siteId).site, kind]));
      return rows.map(({ record }) => String(record));
    },
    consumeQuota: async (siteId, quotas, window, uses = 1) =>
      quotas.length === 0 ? undefined : own.consumeQuota(siteId, quotas, window, uses),
    grantIds: async (siteId, { memberId }) => {
      const values = [new SiteRows(siteId).site, encodeURIComponent(memberId)];
      const rows = await call((sql) => sql.run(its.grantIds, values));
      return rows.map(({ name }) => decodeURIComponent(String(name)));
    },
    countGrants: (siteId, grantees) => call((sql) => countGrants(sql, itsUse, new SiteRows(siteId), grantees)),
    clientsByUse: (siteId, query) => call((sql) => clientsByUse(sql, itsUse, new SiteRows(siteId), query)),
    grantsOf: (siteId, query) => call((sql) => grantsOf(sql, itsUse, new SiteRows(siteId), query)),
    endFamily: (siteId, ...family) => own.endFamily(siteId, ...family),
    revoke: (siteId, filter, onRemoved = () => undefined) => revoke(series(), its, { siteId, filter, onRemoved }),
    ping: () => call(async (sql) => void (await sql.run(its.ping, []))),
  };
}

interface Wanted extends FindOptions {
  readonly kind: RecordKind;
  readonly id: string;
}

async function find(sql: Sql, its: Statements, rows: SiteRows, wanted: Wanted): Promise<StoredRecord | undefined> {
  const { also } = wanted;
  const { finder, values } = finderOf(its, rows, wanted);
  const others = also?.map(({ kind, id }) => ({ kind, key: rows.record(kind, id) })) ?? [];
  const tables = others.map(({ kind }) => (kind === 'Grant' ? 'grant' : 'record'));
  const statement = also ? its.withOthers(finder, values.length, tables) : finder;
  const [row] = await sql.run(statement, [...values, ...others.map(({ key }) => key)]);
  const found = row && foundIn(row, wanted);
  return found && also ? { ...found, also: tables.map((table, i) => otherOf(table, row[`also_${i}`])) } : found;
}

function finderOf(
  its: Statements,
  rows: SiteRows,
  { kind, id, withGrant = false }: Wanted,
): { readonly finder: Statement; readonly values: readonly string[] } {
  const key = rows.record(kind, id);
  if (!isToken(kind)) return { finder: kind === 'Grant' ? its.findGrant : its.findRecord, values: [key] };
  const line = rows.line(kind, id);
  if (!line) return { finder: withGrant ? its.findTokenWithGrant : its.findToken, values: [key] };
  const values = [line.line, line.token, line.replay, rows.site];
  return { finder: withGrant ? its.findLineWithGrant : its.findLine, values };
}

function foundIn(row: Row, { kind, withGrant = false }: Wanted): StoredRecord {
  if (kind === 'Grant') return { ...grantOf(row), devices: devicesIn(row) };
  if (!isToken(kind)) return { record: String(row['record']) };
  const consumed = row['consumed'] === null ? undefined : Number(row['consumed']);
  const token = { record: String(row['record']), familyId: decodeURIComponent(String(row['family'])) };
  const found = consumed === undefined ? token : { ...token, consumed, now: Math.floor(Number(row['now'])) };
  return withGrant ? { ...found, grant: grantOf(row) } : found;
}

/** A grant has its epoch and a space before its record. */
function otherOf(table: OtherTable, value: unknown): StoredRecord | undefined {
  if (typeof value !== 'string') return undefined;
  if (table === 'record') return { record: value };
  const end = value.indexOf(' ');
  return { record: value.slice(end + 1), epoch: Number(value.slice(0, end)) };
}

function grantOf(row: Row): StoredRecord {
  return { record: String(row['grant_record']), epoch: Number(row['epoch']) };
}

function devicesIn(row: Row): StoredDevice[] {
  const given = row['devices'];
  const families = (typeof given === 'string' ? given : '').matchAll(/(?<=^|,)([^,=]+)=([^,]+)/g);
  return [...families].map(([, name = '', end]) => {
    // SQLite and PostgreSQL have other words for `Infinity`.
    const last = Math.min(Number(end) || never, Number(row['grant_expires']));
    return { familyId: decodeURIComponent(name), ...(last < almostNever && { refreshUntil: Math.ceil(last) }) };
  });
}

/** Writes a grant, or a record that is no code or token. */
async function save(sql: Sql, its: Statements, siteId: string, entry: NewRecord): Promise<boolean> {
  const { kind, id, record, ttl = never, replaces } = entry;
  const rows = new SiteRows(siteId);
  const isGrant = kind === 'Grant';
  const { put, add, replace, has, removeExpired } = isGrant ? its.grants : its.records;
  const key = rows.record(kind, id);
  const name = nameOf(kind, id);
  const first = [key, Math.max(ttl, 0), record, Number((isGrant ? entry.endsAccessTokens : entry.listed) === true)];
  const whole = [...first, rows.site, name, ...(isGrant ? partiesOf(entry) : [kind])];
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

/** The names of the member, the client and the app; and what the one by which it counts hides. */
function partiesOf({ memberId = '', clientId = '', app }: NewRecord): readonly (string | null)[] {
  const [client, its] = [clientName(clientId), app === undefined ? undefined : appName(app)];
  const hidden = hidesId(its ?? client) ? (app ?? clientId) : null;
  return [encodeURIComponent(memberId), client, its ?? null, hidden];
}

/** Removes grants, page by page. Each page has its own deadline. */
interface Revocation {
  readonly siteId: string;
  readonly filter: GrantFilter;
  readonly onRemoved: (memberId: string) => void;
}

async function revoke(call: CallSql, its: Statements, { siteId, filter, onRemoved }: Revocation): Promise<number> {
  const rows = new SiteRows(siteId);
  const tell = (removed: readonly Row[]): number => {
    for (const row of removed) onRemoved(decodeURIComponent(String(row['member'])));
    return removed.length;
  };
  if ('memberId' in filter && filter.grantId !== undefined) {
    const values = [rows.record('Grant', filter.grantId), rows.site, encodeURIComponent(filter.memberId)];
    return tell(await call((sql) => sql.write(its.revokeOne, values)));
  }
  const [page, of] =
    'clientId' in filter
      ? [its.revokeOfClient, clientName(filter.clientId)]
      : [its.revokeOfMember, encodeURIComponent(filter.memberId)];
  let revoked = 0;
  for (;;) {
    const length = tell(await call((sql) => sql.write(page, [rows.site, of])));
    revoked += length;
    if (length < pageSize) return revoked;
  }
}

/** The smallest limit of each counter; one that permits nothing is 0. */
export function limitsOf(quotas: readonly Quota[]): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name, limit } of quotas) {
    const whole = limit >= 1 ? Math.floor(limit) : 0;
    limits.set(name, Math.min(whole, limits.get(name) ?? Infinity));
  }
  return limits;
}

function some(rows: readonly Row[]): boolean {
  return rows.length > 0;
}
