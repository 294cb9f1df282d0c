import { boundedCache } from '../kernel/bounded-cache.ts';

/** The roles with which people of a school were found in this process. */
export interface SeenRoles {
  note(siteId: string, roles: readonly string[]): void;
  at(siteId: string): readonly string[];
}

/** A platform that makes a role for each person must not make this grow. */
const maxRoles = 50;
const maxRoleLength = 128;
const maxSites = 1000;

/** Runs for every token: what is known already costs two look-ups. */
export function createSeenRoles(): SeenRoles {
  const bySite = boundedCache<Set<string>>(maxSites);
  return {
    note(siteId, roles) {
      let seen = bySite.get(siteId);
      if (!seen) bySite.set(siteId, (seen = new Set()));
      for (const role of roles) {
        if (seen.size < maxRoles && role !== '' && role.length <= maxRoleLength) seen.add(role);
      }
    },
    at: (siteId) => [...(bySite.get(siteId) ?? [])],
  };
}
