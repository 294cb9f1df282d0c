import type { Site } from './school-platform.ts';
import type { OnFault } from '../observe/events.ts';
import { originsOf } from './origins.ts';
import { reportFault } from '../observe/faults-to-503.ts';
import type { HostPlatform } from './checked-platform.ts';
import { boundedCache } from '../kernel/bounded-cache.ts';

export type SiteFinder = (origin: string) => Promise<Site | undefined>;

/** A finder that remembers where it has found schools. */
export interface SiteRegister extends SiteFinder {
  /** The origins that were asked for lately and are those of schools, some at most. */
  lastOrigins(): string[];
  /** The school as it was last found, or given by the host. */
  byId(id: string): Site | undefined;
  /** Remembers what the host has given, unless it was found. */
  readonly note: (site: Site) => void;
}

/** Nothing is served for a school whose origin may be another one's. */
export class OriginClaimed extends Error {}

/** For `campus.diagnose()`. */
const maxOrigins = 20;

/** One takes about 0.5 kB, and what a host's `Site` has beyond the usual. */
const maxSites = 5000;

/** Concurrent requests share one call of the platform; results are cached for a short time, also for an unknown origin. */
export function createSiteFinder(platform: HostPlatform, lifetime: number, onFault: OnFault): SiteRegister {
  const sites = boundedCache<Promise<Site | undefined>>(maxSites, { ttl: lifetime * 1000 });
  const origins = boundedCache<true>(maxOrigins);
  const byId = boundedCache<Site>(maxSites);
  const warnOfHttp = httpWarning(onFault);
  async function settled(origin: string, found: Promise<Site | undefined>): Promise<void> {
    let isKept = false;
    try {
      const site = await found;
      isKept = lifetime > 0;
      if (site) {
        warnOfHttp(site);
        origins.set(origin, true);
        byId.set(site.id, site);
      }
    } catch {
      // This caller gets the error; the next one tries again.
    }
    if (!isKept && sites.peek(origin) === found) sites.delete(origin);
  }
  /** Asked for once for each look-up of a school that has moved. */
  async function withoutRivals(site: Site, asked: string): Promise<Site> {
    const others = originsOf(site).filter((origin) => origin !== asked);
    const found = site.formerOrigins?.length
      ? await Promise.all(others.map((origin) => platform.findSite(origin)))
      : [];
    const i = found.findIndex((other) => other && other.id !== site.id);
    if (i === -1) return site;
    const error = new OriginClaimed(
      `two schools claim ${others[i]}: ${site.id}, by its formerOrigins, and ${found[i]?.id}, which platform.findSite returns for it`,
    );
    throw reportFault(onFault, 'platform.findSite', error);
  }
  const find = (origin: string): Promise<Site | undefined> => {
    const known = sites.get(origin);
    if (known) return known;
    const found = platform.findSite(origin).then((site) => site && withoutRivals(site, origin));
    sites.set(origin, found);
    void settled(origin, found);
    return found;
  };
  return Object.assign(find, {
    lastOrigins: () => [...origins.keys()],
    byId: (id: string) => byId.get(id),
    note: (site: Site) => void (byId.has(site.id) || byId.set(site.id, site)),
  });
}

/** A platform that takes any origin for a school must not make this list grow. */
const maxWarnings = 1000;

/** Reports each school in production that is not reached by https, once. */
function httpWarning(onFault: OnFault): (site: Site) => void {
  const reported = new Set<string>();
  return ({ origin }) => {
    if (!origin.startsWith('http:') || process.env['NODE_ENV'] !== 'production') return;
    if (reported.has(origin) || reported.size >= maxWarnings) return;
    reported.add(origin);
    onFault(
      `the school ${origin} is served over http: in production`,
      new Error(
        'passwords, codes, tokens and cookies can be read on the way; serve the school over https: and return that origin from platform.findSite',
      ),
    );
  };
}
