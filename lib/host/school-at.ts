import type { Site } from './school-platform.ts';
import type { SiteFinder } from './site-finder.ts';

/** @throws TypeError for an origin that no school has */
export async function schoolAt(findSite: SiteFinder, given: Site | string, path: string): Promise<Site> {
  if (typeof given !== 'string') return given;
  const site = URL.parse(given)?.origin === given ? await findSite(given) : undefined;
  if (site) return site;
  throw new TypeError(`${path} must be a school or its origin, not ${JSON.stringify(given)}`);
}
