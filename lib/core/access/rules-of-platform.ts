import type { MaybePromise } from '../../host/school-platform.ts';
import { type Facts, type Permission, after } from './permission.ts';
import { apply } from './taking.ts';

/** What the policies say. No approval of a school ends it: a policy that wants that reads `app.reviewed`. */
export function rulesOfPlatform(p: Permission, facts: Facts): MaybePromise<Permission> {
  return after(facts.policies(), (rules) => {
    let found = p;
    for (const each of rules) {
      found = apply(found, rulesOfPlatform, each, facts);
      if (found.refused) break;
    }
    return found;
  });
}
