import type { Service } from '../../host/school-platform.ts';
import type { Facts, Permission } from './permission.ts';
import { hasOne, noRule, type AppRule, stricter } from './rule.ts';
import { refuse, said } from './taking.ts';

/** The person, or the service, has a role that all rules name. */
export function actorHasRole(p: Permission, { asked: { member, service } }: Facts): Permission {
  const { roles } = p.rule;
  const actor = member ?? service;
  return !roles || !actor || hasOne(actor.roles, roles) ? p : refuseRoles(p, actor);
}

function refuseRoles(p: Permission, { roles: held }: Service): Permission {
  let left: AppRule = noRule;
  // The rule at which the last of their roles went.
  const named = p.said.find(({ rule }) => {
    left = stricter(left, { roles: rule.roles });
    return left.roles !== undefined && !hasOne(held, left.roles);
  });
  const { roles = [] } = named?.policy === undefined ? (named?.rule ?? noRule) : left;
  const { by } = said(named);
  return refuse(p, actorHasRole, 'client_role', by, named, roles);
}
