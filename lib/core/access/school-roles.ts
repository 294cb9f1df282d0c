import type { AppRule } from '../access/rule.ts';
import type { HostPlatform } from '../../host/checked-platform.ts';
import { brief } from '../../host/check-returns.ts';
import { didYouMean } from '../../host/did-you-mean.ts';
import type { SchoolRole, Site } from '../../host/school-platform.ts';
import { InvalidRequest } from '../../kernel/errors.ts';

/** The roles of a school, as far as they are known. */
export interface SchoolRoles {
  readonly roles: readonly Required<SchoolRole>[];
  /** Whether the school has no others. */
  readonly isComplete: boolean;
}

/** Called where a rule is shown or set, and never for a token. */
export type SchoolRolesFinder = (site: Site) => Promise<SchoolRoles>;

/** Those that the platform lists, or otherwise those of the options and those that people were seen with. */
export function schoolRoles(platform: HostPlatform, ofOptions: readonly string[]): SchoolRolesFinder {
  return async (site) => {
    const listed = await platform.roles(site);
    if (listed) return { roles: listed, isComplete: true };
    const known = new Set([...ofOptions, ...platform.seenRoles(site)]);
    return { roles: [...known].map((role) => ({ role, name: role })), isComplete: false };
  };
}

/** The roles that a school does not have. While not all of its roles are known, only those that are a known one in another case. */
export function unknownRoles({ roles, isComplete }: SchoolRoles, named: readonly string[]): string[] {
  const known = roles.map(({ role }) => role);
  return named.filter((each) => !known.includes(each) && (isComplete || inAnotherCase(each, known) !== undefined));
}

/** A name that differs from this one in upper and lower case alone. */
export function inAnotherCase(name: string, others: readonly string[]): string | undefined {
  return others.find((each) => each !== name && each.toLowerCase() === name.toLowerCase());
}

/** The first role that a new rule may not name. What the rule before has stays valid, though the school no longer has it. */
export function wrongRole(known: SchoolRoles, rule: AppRule, before: AppRule | undefined): string | undefined {
  return unknownRoles(known, rule.roles ?? []).find((role) => before?.roles?.includes(role) !== true);
}

/** A message has no more roles than these. */
const maxShown = 20;

export function shownRoles(roles: readonly string[]): string {
  const more = roles.length > maxShown ? ` and ${roles.length - maxShown} more` : '';
  return roles.length > 0 ? `${roles.slice(0, maxShown).map(brief).join(', ')}${more}` : 'none';
}

export function noSuchRole({ roles, isComplete }: SchoolRoles, wrong: string, { name }: Site): InvalidRequest {
  const known = roles.map(({ role }) => role);
  const all = shownRoles(known);
  const has = isComplete ? 'has' : 'is known to have';
  return new InvalidRequest(`${brief(wrong)} is not a role of ${name}, which ${has} ${all}${didYouMean(wrong, known)}`);
}
