import { appName, clientName, hidesId } from '../../lib/records/grantee.ts';
import { isToken, nameOf, type NewRecord, type RecordKind, type StoredRecord } from '../../lib/records/record.ts';
import type { GrantFilter, Quota, Store } from '../../lib/records/store.ts';
import { almostNever, type CallSql, never, type Row, SiteRows, type Sql } from './sql.ts';
import { pageSize, type Statements } from './statements.ts';
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
    find: async (siteId, kind, id, { withGrant } = {}) =>
      call((sql) => find(sql, its, new SiteRows(siteId), kind, id, withGrant)),
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

async function find(sql: Sql, its: Statements, rows: SiteRows, kind: RecordKind, id: string, withGrant = false) {
  const key = rows.record(kind, id);
  if (!isToken(kind)) {
    const [row] = await sql.run(kind === 'Grant' ? its.findGrant : its.findRecord, [key]);
    return row && (kind === 'Grant' ? grantOf(row) : { record: String(row['record']) });
  }
  const line = rows.line(kind, id);
  const [row] = line
    ? await sql.run(withGrant ? its.findLineWithGrant : its.findLine, [line.line, line.token, line.replay, rows.site])
    : await sql.run(withGrant ? its.findTokenWithGrant : its.findToken, [key]);
  if (!row) return undefined;
  const consumed = row['consumed'] === null ? undefined : Number(row['consumed']);
  const token = { record: String(row['record']), familyId: decodeURIComponent(String(row['family'])) };
  const found = consumed === undefined ? token : { ...token, consumed, now: Math.floor(Number(row['now'])) };
  return withGrant ? { ...found, grant: grantOf(row) } : found;
}

function grantOf(row: Row): StoredRecord {
  const given = row['devices'];
  const families = (typeof given === 'string' ? given : '').matchAll(/(?<=^|,)([^,=]+)=([^,]+)/g);
  const devices = [...families].map(([, name = '', end]) => {
    // SQLite and PostgreSQL have other words for `Infinity`.
    const last = Math.min(Number(end) || never, Number(row['grant_expires']));
    return { familyId: decodeURIComponent(name), ...(last < almostNever && { refreshUntil: Math.ceil(last) }) };
  });
  return { record: String(row['grant_record']), epoch: Number(row['epoch']), devices };
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
