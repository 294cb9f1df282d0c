import { setImmediate as turn } from 'node:timers/promises';
import type { Store } from '../../lib/records/store.ts';
import { refuseArguments } from '../../lib/kernel/validate.ts';
import { memoryLog } from './log.ts';
import { SiteRecords } from './site-records.ts';

/**
 * Returns a store in the memory of this process, for development, tests and demos with a single process. Expired records are not found, and
 * each write deletes some of them.
 * @throws TypeError for any argument, because it has no options
 */
export function memoryStore(): Store;
export function memoryStore(...given: readonly unknown[]): Store {
  refuseArguments('memoryStore', given);
  const sites = new Map<string, SiteRecords>();
  const of = (siteId: string): SiteRecords => {
    let records = sites.get(siteId);
    if (!records) sites.set(siteId, (records = new SiteRecords()));
    return records;
  };
  return {
    // Requests that have arrived together go on together: each processed alone, from end to end, they take up to twice the CPU.
    find: async (siteId, kind, id, options) => {
      await turn();
      return of(siteId).find(kind, id, options);
    },
    save: async (siteId, entry) => of(siteId).save(entry),
    remove: async (siteId, kind, id, text) => of(siteId).remove(kind, id, text),
    redeem: async (siteId, redemption) => {
      await turn();
      return of(siteId).redeem(redemption);
    },
    list: async (siteId, kind) => of(siteId).list(kind),
    consumeQuota: async (siteId, ...use) => of(siteId).quotas.consumeQuota(...use),
    grantIds: async (siteId, filter) => of(siteId).grantIds(filter),
    countGrants: async (siteId, grantees) => of(siteId).countGrants(grantees),
    clientsByUse: async (siteId, query) => of(siteId).clientsByUse(query),
    grantsOf: async (siteId, query) => of(siteId).grantsOf(query),
    endFamily: async (siteId, grantId, familyId) => of(siteId).endFamily(grantId, familyId),
    revoke: async (siteId, filter, onRemoved) => of(siteId).revoke(filter, onRemoved),
    sweep: async (siteId, _from, removes) => {
      const records = of(siteId).sweep(removes);
      if (removes === true) sites.delete(siteId);
      return { records };
    },
    ...memoryLog(),
    ping: async () => {},
  };
}
