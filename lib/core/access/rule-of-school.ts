import type { MaybePromise } from '../../host/school-platform.ts';
import { type Facts, type Permission, after } from './permission.ts';
import { hasOne, type AppRule } from './rule.ts';
import { apply } from './taking.ts';

/** What the school has set. Its view only ends with an approval: see `approvedVersion`. */
export function ruleOfSchool(p: Permission, facts: Facts): MaybePromise<Permission> {
  return after(facts.school(), (rule) => (rule ? withRuleOfSchool(p, facts, rule) : p));
}

/** The yes of the school to one person counts beside the roles of its own rule. */
function withRuleOfSchool(p: Permission, facts: Facts, rule: AppRule): MaybePromise<Permission> {
  const { member } = facts.asked;
  if (rule.access === 'blocked' || !rule.roles || !member || hasOne(member.roles, rule.roles))
    return apply(p, ruleOfSchool, { rule }, facts);
  return after(facts.isAllowed(), (isAllowed) =>
    apply({ ...p, isAllowed }, ruleOfSchool, { rule: isAllowed ? { ...rule, roles: undefined } : rule }, facts),
  );
}
