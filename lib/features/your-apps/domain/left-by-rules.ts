import type { Access } from '../../../core/access/access.ts';
import type { Decider } from '../../../core/access/rule.ts';
import type { Member, Site } from '../../../host/school-platform.ts';
import type { RecordStore } from '../../../records/record-store.ts';

/** What a connection may do now. Its own scopes are what the person has allowed, and rules can leave less of them. */
export interface LeftByRules {
  readonly scopes: readonly string[];
  /** The party that refuses all of it. @default no party does */
  readonly refusedBy?: Decider | undefined;
}

/** What rules leave to connections of a person, by their ids. A connection that has ended is left out. */
export type LeftByRulesFinder = (
  site: Site,
  member: Member,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, LeftByRules>>;

interface LeftOptions {
  readonly store: RecordStore;
  readonly access: Pick<Access, 'permissionAtRefresh'>;
}

export function leftByRules({ store, access }: LeftOptions): LeftByRulesFinder {
  return async (site, member, ids) => {
    const all = ids.map(async (id) => {
      const found = await store.find(site.id, 'Grant', id);
      if (!found) return [];
      const permission = await access.permissionAtRefresh(site, found.record, { member: async () => member });
      const left: LeftByRules =
        permission.refusal === undefined
          ? { scopes: permission.scopes }
          : { scopes: [], refusedBy: permission.by ?? 'platform' };
      return [[id, left] as const];
    });
    return new Map((await Promise.all(all)).flat());
  };
}
