import { LRUCache } from 'lru-cache';
import type { Site } from '../contracts/platform.ts';
import type { HostPlatform } from './platform.ts';

/** How long a result of `platform.findSite` is cached, also for an unknown origin, in milliseconds. */
const cacheTime = 5000;

const siteId = /^[\w.-]{1,128}$/;

export type SiteFinder = (origin: string) => Promise<Site | undefined>;

/** Concurrent requests share one call of the platform; results are cached for a short time. */
export function createSiteFinder(platform: Pick<HostPlatform, 'findSite'>): SiteFinder {
  const sites = new LRUCache<string, Promise<Site | undefined>>({ max: 5000, ttl: cacheTime });
  return (origin) => {
    const known = sites.get(origin);
    if (known) return known;
    const found = platform.findSite(origin).then((site) => checkSite(site, origin));
    sites.set(origin, found);
    found.catch(() => sites.delete(origin));
    return found;
  };
}

/** With a wrong origin, the issuer would be wrong everywhere. */
function checkSite(site: Site | undefined, origin: string): Site | undefined {
  if (site === undefined) return undefined;
  const call = `platform.findSite(${JSON.stringify(origin)})`;
  if (site.origin !== origin) {
    throw new TypeError(
      `${call} returned a site whose origin is ${JSON.stringify(site.origin)}; redirect other addresses of a school to its origin before this middleware`,
    );
  }
  if (typeof site.id !== 'string' || !siteId.test(site.id)) {
    throw new TypeError(
      `${call} returned a site whose id is ${JSON.stringify(site.id)}; an id is 1 to 128 letters, digits, ".", "_" or "-"`,
    );
  }
  return Object.freeze({ ...site });
}
