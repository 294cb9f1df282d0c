import type { Member, Site } from '../../host/school-platform.ts';
import type { AppAccess, AppRule, AppStatus, VersionState } from '../clients/client-status.ts';
import type { Scope } from '../scopes/scopes.ts';
import type { AccessRule } from './rights-by-role.ts';
import { type Allowed, refusedWithoutPseudonyms, refused } from './allowance.ts';
import { type Decision, decide } from './decide.ts';
import type { RuledApp } from './app-rule.ts';
import { choosable, type RuleDecisionSources, type RuleInForce, removedByRule } from './app-rules.ts';
import { ruleForPerson } from './rule-for-person.ts';
import type { PersonDecisionFinder } from './person-decisions.ts';
import type { ClientAudience } from '../clients/client.ts';

export interface RulesQuestion {
  readonly site: Site;
  /** The app, if it is a known one. */
  readonly app: RuledApp | undefined;
  /** The client. @default it is not known yet which client the app will be: one that acts for operators */
  readonly client?: RuledClient | undefined;
  /** What the school has decided on the current version of the client. @default nothing */
  readonly version?: VersionState | undefined;
  /** The school's rule for it. */
  readonly school: AppRule | undefined;
  /** @default nobody: what a role decides is left out */
  readonly person?: AskingPerson | undefined;
  /** @default all for the audience of the client */
  readonly scopes?: readonly Scope[] | undefined;
}

interface AskingPerson {
  readonly personDecided: PersonDecisionFinder;
  readonly member: Member;
  readonly access: ReturnType<AccessRule>;
}

/** A client, as far as rules ask for it. */
export interface RuledClient {
  readonly clientId: string;
  readonly audience: ClientAudience;
  readonly subject?: 'pairwise' | undefined;
}

export interface DecisionByRules extends Decision, RuleInForce {}

/**
 * What the rules of school and platform, and the school's decision on the version, give of an app or client. The scopes of the client
 * itself, and what consent policies say, are not looked up: so lists can say it of thousands of clients.
 */
export async function decideByRules(
  { platformRule, catalogue, boundaries, hasPseudonyms }: RuleDecisionSources,
  { site, app, client, version = 'undecided', school, person, scopes }: RulesQuestion,
): Promise<DecisionByRules> {
  const { refusal, refusedBy, asks, ...found } = await ruleForPerson(
    { platformRule, personDecided: person?.personDecided ?? nobodyDecided },
    { request: { site, app, client, member: person?.member }, school },
  );
  const { rule, from } = found;
  const mayWrite = accessInForce(rule.access, version) !== 'view_only';
  const pseudonym = rule.pseudonym === true;
  // Nobody chooses for a service.
  const chosen = client?.audience === 'service' ? undefined : choosable(rule);
  const removedBy = removedByRule({ rule, school: found.school, boundaries, chosen });
  const leftByRules = (scope: string): boolean => removedBy(scope) === undefined;
  const mayGrant = (scope: string): boolean =>
    leftByRules(scope) && (mayWrite || catalogue.row(scope)?.access !== 'write');
  const unrefused: Allowed = {
    mayGrant,
    countsWith: () => mayGrant,
    limited: rule.limited,
    approvable: leftByRules,
    asks,
    removedBy,
  };
  const possible =
    (pseudonym || client?.subject) && !hasPseudonyms ? refusedWithoutPseudonyms(found.school) : unrefused;
  const byRules = refusal ? refused(refusal, { refusedBy, roles: rule.roles }) : possible;
  const decision = await decide({
    catalogue,
    access: person?.access ?? 'permitted',
    allowed: version === 'rejected' ? refused('client_blocked', { refusedBy: 'school' }) : byRules,
    requested: scopes ?? catalogue.of(client?.audience ?? 'operator'),
    vouched: true,
    policies: async (left) => ({ scopes: left, denied: false, texts: [] }),
  });
  return { ...decision, rule, from };
}

const nobodyDecided = async (): Promise<boolean> => false;

/** What a rule and the decision on a version leave together. */
export function accessInForce(access: AppAccess, version: VersionState): AppAccess {
  if (version === 'rejected') return 'blocked';
  if (access === 'blocked') return access;
  if (version === 'waiting') return 'view_only';
  return version === 'approved' ? 'allowed' : access;
}

/** The word of lists. */
export function statusIn({ outcome }: Decision): AppStatus {
  return outcome === 'impossible' ? 'blocked' : outcome;
}
