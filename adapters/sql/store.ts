import { isToken } from '../../lib/contracts/record.ts';
import type { Quota, Store } from '../../lib/contracts/store.ts';
import { countGrants, find, grantIds, list, remove, revoke, save } from './records.ts';
import type { CallSql } from './sql.ts';
import type { Statements } from './statements.ts';

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
export function storeOver(its: Statements, { call, series }: SqlCalls, own: OwnOperations): Store {
  return {
    find: (siteId, kind, id, options) => call((sql) => find(sql, its, siteId, kind, id, options)),
    save: (siteId, entry) =>
      isToken(entry.kind) ? own.saveToken(siteId, entry) : call((sql) => save(sql, its, siteId, entry)),
    remove: (siteId, kind, id) => call((sql) => remove(sql, its, siteId, kind, id)),
    redeem: (siteId, redemption) => own.redeem(siteId, redemption),
    list: (siteId, kind) => call((sql) => list(sql, its, siteId, kind)),
    consumeQuota: async (siteId, quotas, window, uses = 1) =>
      quotas.length === 0 ? undefined : own.consumeQuota(siteId, quotas, window, uses),
    grantIds: (siteId, { memberId }) => call((sql) => grantIds(sql, its, siteId, memberId)),
    countGrants: (siteId, { clientIds }) => call((sql) => countGrants(sql, its, siteId, clientIds)),
    endFamily: (siteId, ...family) => own.endFamily(siteId, ...family),
    revoke: (siteId, filter) => revoke(series(), its, siteId, filter),
    ping: () => call(async (sql) => void (await sql.run(its.ping, []))),
  };
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
