import type { SchoolPlatform, Site } from '../../lib/index.ts';

/** A platform with one school, Harbour School, that moves from the origin of `schools.harbour` to that of `schools.summit`. */
export interface MovingSchool {
  readonly wrapPlatform: (platform: SchoolPlatform) => SchoolPlatform;
  /** To be used with it: nothing is kept of the school as it was. */
  readonly siteCache: 0;
  move(): void;
  /** The school is no longer found at its former origin, and does not say where it was. */
  forget(): void;
}

export function movingSchool(): MovingSchool {
  let state: 'before' | 'moved' | 'forgotten' = 'before';
  return {
    siteCache: 0,
    move: () => void (state = 'moved'),
    forget: () => void (state = 'forgotten'),
    wrapPlatform: (platform) => ({
      ...platform,
      findSite: async (origin): Promise<Site | undefined> => {
        const site = await platform.findSite(origin);
        if (!site) return undefined;
        const isOld = site.id === 'harbour';
        if (state === 'before') return isOld ? site : undefined;
        const [moved, before] = [origin.replace('localhost', '127.0.0.1'), origin.replace('127.0.0.1', 'localhost')];
        const now: Site = { ...site, id: 'harbour', name: 'Harbour School', origin: moved };
        if (state === 'forgotten') return isOld ? undefined : now;
        return { ...now, formerOrigins: [before] };
      },
    }),
  };
}
