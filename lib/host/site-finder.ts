import { LRUCache } from 'lru-cache';
import type { Site } from '../contracts/platform.ts';
import type { HostPlatform } from './platform.ts';

/** How long an answer of `platform.findSite` is believed, in milliseconds; also for an origin that is no school. */
const believed = 5000;

const siteId = /^[\w.-]{1,128}$/;

/** Finds the school of an origin. */
export type SiteFinder = (origin: string) => Promise<Site | undefined>;

/** A finder that asks the platform once for concurrent requests, and remembers briefly. */
export function createSiteFinder(platform: Pick<HostPlatform, 'findSite'>): SiteFinder {
  const answers = new LRUCache<string, Promise<Site | undefined>>({ max: 5000, ttl: believed });
  return (origin) => {
    const known = answers.get(origin);
    if (known) return known;
    const asked = platform.findSite(origin).then((site) => checkSite(site, origin));
    answers.set(origin, asked);
    asked.catch(() => answers.delete(origin));
    return asked;
  };
}

/**
 * What `platform.findSite` answered, checked: a wrong origin here would be a wrong issuer everywhere.
 *
 * @throws TypeError that says what the platform has to change
 */
function checkSite(site: Site | undefined, origin: string): Site | undefined {
  if (site === undefined) return undefined;
  const asked = `platform.findSite(${JSON.stringify(origin)})`;
  if (site.origin !== origin) {
    throw new TypeError(
      `${asked} answered a site whose origin is ${JSON.stringify(site.origin)}; redirect other addresses of a school to its origin before this middleware`,
    );
  }
  if (typeof site.id !== 'string' || !siteId.test(site.id)) {
    throw new TypeError(
      `${asked} answered a site whose id is ${JSON.stringify(site.id)}; an id is 1 to 128 letters, digits, ".", "_" or "-"`,
    );
  }
  return Object.freeze({ ...site });
}
