import type { MaybePromise } from '../../host/school-platform.ts';
import { type Facts, type Permission, after } from './permission.ts';
import { liftsRoles } from './person-approval.ts';
import type { AppRule } from './rule.ts';
import { apply } from './taking.ts';

/** What the school has set. Its view only ends with an approval: see `approvedVersion`. */
export function ruleOfSchool(p: Permission, facts: Facts): MaybePromise<Permission> {
  return after(facts.school(), (rule) => (rule ? withRuleOfSchool(p, facts, rule) : p));
}

function withRuleOfSchool(p: Permission, facts: Facts, rule: AppRule): MaybePromise<Permission> {
  return after(liftsRoles(rule, facts), (isAllowed) => {
    const found = isAllowed === undefined ? p : { ...p, isAllowed };
    return apply(found, ruleOfSchool, { rule: isAllowed ? { ...rule, roles: undefined } : rule }, facts);
  });
}
