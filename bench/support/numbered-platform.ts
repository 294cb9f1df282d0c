import { setTimeout as sleep } from 'node:timers/promises';
import type { SchoolPlatform } from '../../lib/index.ts';

/** A platform of schools such as `http://school-7.test`, each found after so many milliseconds, whose members are all that anybody names. */
export function numberedPlatform(foundAfter: number): (platform: SchoolPlatform) => SchoolPlatform {
  const find = (origin: string): ReturnType<SchoolPlatform['findSite']> => {
    const id = /^http:\/\/(school-\w+)\.test$/.exec(origin)?.[1];
    return id === undefined ? undefined : { id, origin, name: id, connectionsEnabled: true };
  };
  return (platform) => ({
    ...platform,
    findSite: foundAfter === 0 ? find : async (origin) => sleep(foundAfter).then(() => find(origin)),
    findMember: (_site, id) => ({ id, name: id, email: `${id}@example.com`, roles: ['student'] }),
  });
}
