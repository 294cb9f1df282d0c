import type { MaybePromise } from '../../host/school-platform.ts';
import { type Facts, type Permission, after } from './permission.ts';
import { apply } from './taking.ts';

/** What the policies say. No approval of a school ends it: a policy that wants that reads `app.reviewed`. */
export function rulesOfPlatform(p: Permission, facts: Facts): MaybePromise<Permission> {
  return after(facts.policies(), (rules) => {
    let found = p;
    // Also after a refusal: what a person reads of one policy is not up to the order of all.
    for (const each of rules) found = apply(found, rulesOfPlatform, each, facts);
    return found;
  });
}
