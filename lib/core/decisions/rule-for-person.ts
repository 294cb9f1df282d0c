import type { Member, Service } from '../../host/school-platform.ts';
import type { PersonDecisionFinder } from './person-decisions.ts';
import type { Decider, RuleRequest } from './app-rule.ts';
import type { AppRule } from '../clients/client-status.ts';
import { type PlatformRuleFinder, type RuleInForce, ruleInForce } from './app-rules.ts';

export interface RuleQuestion {
  /** What the rules are asked for; with the person, if it is known who that is. */
  readonly request: RuleRequest;
  /** The school's rule. @default it has none */
  readonly school: AppRule | undefined;
  /** A service, which also has roles. @default it is not one */
  readonly service?: Service | undefined;
}

export interface RuleSources {
  readonly platformRule: PlatformRuleFinder | undefined;
  readonly personDecided: PersonDecisionFinder;
}

/** What the rules of school and platform are for one person. */
export interface RuleForPerson extends RuleInForce {
  /** The school's part of the rule in force. */
  readonly school: AppRule | undefined;
  /** Absent if the person may connect it, as far as the rules say. */
  readonly refusal?: 'client_blocked' | 'client_role' | 'needs_approval' | undefined;
  readonly refusedBy?: Decider | undefined;
  /** Whether each person needs an approval, and it is not known who that is. */
  readonly asks: boolean;
}

/** The decision of a school on one person counts where its rule asks for each, and where it has roles that the person lacks. */
export async function ruleForPerson(
  { platformRule, personDecided }: RuleSources,
  { request, school, service }: RuleQuestion,
): Promise<RuleForPerson> {
  const { site, app, client, member } = request;
  // Looked up at most once, and only if it makes a difference.
  let decided: Promise<boolean> | undefined;
  const isAllowed = async (): Promise<boolean> =>
    member !== undefined &&
    (await (decided ??= personDecided(site.id, { clientId: client?.clientId, app }, member.id)));
  const own = school && lacksRole(school, member) && (await isAllowed()) ? { ...school, roles: undefined } : school;
  const { rule, from } = await ruleInForce(own, platformRule, request);
  const found = { rule, from, school: own, asks: false };
  const holder = member ?? service;
  if (rule.access === 'blocked')
    return { ...found, refusal: 'client_blocked', refusedBy: own?.access === 'blocked' ? 'school' : 'platform' };
  if (lacksRole(rule, holder))
    return { ...found, refusal: 'client_role', refusedBy: lacksRole(own, holder) ? 'school' : 'platform' };
  if (rule.ask !== true || (await isAllowed())) return found;
  return holder ? { ...found, refusal: 'needs_approval', refusedBy: 'school' } : { ...found, asks: true };
}

/** Whether a person, or a service, has one of the roles of a rule. */
export function lacksRole(rule: AppRule | undefined, holder: Member | Service | undefined): boolean {
  if (holder === undefined || rule?.roles === undefined) return false;
  const { roles } = rule;
  return !holder.roles.some((role) => roles.includes(role));
}
