import type { MaybePromise } from '../../host/school-platform.ts';
import { type Facts, type Permission, after } from './permission.ts';
import { hasOne, type AppRule } from './rule.ts';
import { refuse } from './taking.ts';

/** The school has said yes to this person, where a rule asks for that. Nobody is asked at refresh and use: no yes is a no. */
export function schoolAllowsPerson(p: Permission, facts: Facts): MaybePromise<Permission> {
  if (p.rule.ask !== true) return p;
  return after(facts.isAllowed(), (isAllowed) => (isAllowed ? { ...p, isAllowed } : refuseUnallowed(p, facts)));
}

function refuseUnallowed(p: Permission, { asked: { member, service } }: Facts): Permission {
  const named = p.said.find(({ rule }) => rule.ask === true);
  const found = refuse(p, schoolAllowsPerson, 'needs_approval', 'school', named);
  // Whether the person is one to whom the school has said yes is not known yet.
  return member || service ? found : { ...found, refused: p.refused ?? { outcome: 'needs_approval', by: 'school' } };
}

/**
 * Whether the yes of the school to this person lifts the roles of its own rule: never a block, and never the roles of a policy. Absent
 * where no role is missing, so that nobody is asked.
 */
export function liftsRoles(rule: AppRule, facts: Facts): MaybePromise<boolean | undefined> {
  const { member } = facts.asked;
  const isMissing = rule.access !== 'blocked' && rule.roles && member && !hasOne(member.roles, rule.roles);
  return isMissing ? facts.isAllowed() : undefined;
}
