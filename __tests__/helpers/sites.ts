import type { Site } from '../../lib/index.ts';
import type { Schools } from './schools.ts';

const names = { harbour: 'Harbour School', summit: 'Summit School' } as const;

/** Harbour School, as `findSite` returns it: at an origin, such as `schools.harbour`, and with what a test changes. */
export function harbourSite(origin = 'https://harbour.example', changes: Partial<Site> = {}): Site {
  return { id: 'harbour', origin, name: names.harbour, connectionsEnabled: true, ...changes };
}

/** One of the schools of `startSchools`, as `findSite` returns it. */
export function siteOf(schools: Pick<Schools, 'harbour' | 'summit'>, id: 'harbour' | 'summit' = 'harbour'): Site {
  return harbourSite(schools[id], { id, name: names[id] });
}
