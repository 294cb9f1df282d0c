import { actorHasRole } from './actor-has-role.ts';
import { actorMayUseClient } from './actor-may-use-client.ts';
import { approvedVersion } from './approved-version.ts';
import { clientIsHere } from './client-is-here.ts';
import { knownByPseudonym } from './known-by-pseudonym.ts';
import { demandedLimitsAreChosen } from './demanded-limits-are-chosen.ts';
import { asRefused, type Facts, type Permission, type Step, none, untouched } from './permission.ts';
import { ruleOfSchool } from './rule-of-school.ts';
import type { Decider } from './rule.ts';
import { rulesOfPlatform } from './rules-of-platform.ts';
import { schoolAllowsPerson } from './person-approval.ts';
import { scopesOfClient } from './scopes-of-client.ts';
import { refuse } from './taking.ts';
import type { Refusal } from './who-can-change.ts';

/** In the order in which they are walked. */
export const steps: readonly Step[] = [
  clientIsHere,
  actorMayUseClient,
  ruleOfSchool,
  rulesOfPlatform,
  actorHasRole,
  schoolAllowsPerson,
  knownByPseudonym,
  scopesOfClient,
  demandedLimitsAreChosen,
  approvedVersion,
];

/**
 * Walks the steps. Once the client is refused, the rest is not asked, and nothing is looked up for it, unless the question is for all reasons. The first
 * refusal is the one that counts.
 */
export async function walk(facts: Facts): Promise<Permission> {
  const { allReasons = false } = facts.asked;
  let found = untouched(facts.asked.scopes);
  for (const step of steps) {
    const next = step(found, facts);
    found = next instanceof Promise ? await next : next;
    // What rules take is meant for those who may use such a client.
    if (found.refused && (!allReasons || found.refused.outcome === 'impossible')) break;
  }
  return asRefused(found);
}

/** A refusal that needs no walk: nobody is there who could act. */
export function refusedOutright(refusal: Refusal, by: Decider = 'platform'): Permission {
  return refuse(untouched(none), actorMayUseClient, refusal, by);
}
