import { type AppAccess, appAccesses, type AppRule } from '../clients/client-status.ts';
import { type DeclaredBoundary, lacksLimit, type Only } from '../boundaries/boundary.ts';
import type { Decider, AppTarget, RuledApp, RuleRequest, RuleOrigin } from './app-rule.ts';
import type { SchoolAppIds } from './school-apps.ts';
import { isMetadataDocumentId } from '../clients/client-id.ts';
import { identityScopes, type ScopeCatalogue } from '../scopes/scopes.ts';
import type { RecordOf } from '../../records/record.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { digest } from '../../kernel/crypto.ts';

/** What applies without a rule. The review of a metadata document is its policy's. */
export const noRule: AppRule = { access: 'allowed' };

function strictness(access: AppAccess): number {
  return appAccesses.indexOf(access);
}

/** The stricter of two rules, member by member: whatever one of them takes away is gone, and their order does not matter. */
export function stricter(a: AppRule, b: AppRule): AppRule {
  const access = strictness(a.access) > strictness(b.access) ? a.access : b.access;
  const rule = { access, roles: common(a.roles, b.roles), scopes: common(a.scopes, b.scopes) };
  const limited = [...new Set([...(a.limited ?? []), ...(b.limited ?? [])])];
  const ask = a.ask === true || b.ask === true;
  const pseudonym = a.pseudonym === true || b.pseudonym === true;
  return { ...rule, ...(ask && { ask }), ...(pseudonym && { pseudonym }), ...(limited.length > 0 && { limited }) };
}

function common(a: readonly string[] | undefined, b: readonly string[] | undefined): readonly string[] | undefined {
  return a && b ? a.filter((each) => b.includes(each)) : (a ?? b);
}

function isNarrower(now: readonly string[] | undefined, before: readonly string[] | undefined): boolean {
  return now !== undefined && (before === undefined || before.some((each) => !now.includes(each)));
}

/** Whether a rule takes away something that the one before left. */
export function isStricter(after: AppRule, before: AppRule): boolean {
  const isHarder = strictness(after.access) > strictness(before.access);
  const asks = after.ask === true && before.ask !== true;
  const hides = after.pseudonym === true && before.pseudonym !== true;
  const demands = after.limited?.some((type) => before.limited?.includes(type) !== true) === true;
  return (
    isHarder ||
    asks ||
    hides ||
    demands ||
    isNarrower(after.roles, before.roles) ||
    isNarrower(after.scopes, before.scopes)
  );
}

/** Whether two rules say the same. */
export function isSameRule(a: AppRule, b: AppRule): boolean {
  return !isStricter(a, b) && !isStricter(b, a);
}

/** What a school has decided before. */
interface DecidedBefore {
  /** What applies of it: that on its app, where there is none on the client. */
  readonly rule: AppRule;
  /** Whether a version of the client is approved. */
  readonly hasApproval: boolean;
}

/** A new decision on an app or client. */
interface DecidedNow {
  /** `undefined` if the decision goes. */
  readonly rule: AppRule | undefined;
  /** What applies then. */
  readonly fallback: AppRule;
  /** Absent for an app. */
  readonly clientId: string | undefined;
}

/** An approval stays where what it allows stays allowed. */
export function keepsApproval(rule: AppRule | undefined): boolean {
  return rule?.access === 'allowed';
}

/** Whether a decision takes away something that people may have: then their connections end. */
export function takesAway(before: DecidedBefore, { rule, fallback, clientId }: DecidedNow): boolean {
  const after = rule ?? fallback;
  // Without a rule that asks for one, only a metadata document needs an approval.
  const matters = after.access === 'view_only' || (clientId !== undefined && isMetadataDocumentId(clientId));
  const losesApproval = before.hasApproval && matters && !keepsApproval(rule);
  // Nobody is known by another name than the one that they have allowed.
  const isOther = (after.pseudonym === true) !== (before.rule.pseudonym === true);
  return losesApproval || isOther || isStricter(after, before.rule);
}

/** Nothing for a decision that only approves a version. */
export function ruleOf({ access, ask, roles, scopes, pseudonym, limited }: RecordOf<'AppRule'>): AppRule | undefined {
  return (
    access && {
      access: access === 'ask' ? 'allowed' : access,
      ...((access === 'ask' || ask) && { ask: true }),
      ...(roles && { roles }),
      ...(scopes && { scopes }),
      ...(pseudonym && { pseudonym }),
      ...(limited && { limited }),
    }
  );
}

/** Distinguishes a client from an app of the same id. */
export function targetName(target: AppTarget): string {
  return 'clientId' in target ? `client ${target.clientId}` : `app ${target.app}`;
}

/** What a stored decision is for. */
export function decisionTarget({ client_id: clientId, app = '' }: RecordOf<'AppRule'>): AppTarget {
  return clientId === undefined ? { app } : { clientId };
}

export function ruleId(target: AppTarget): string {
  return digest(targetName(target));
}

/** A client, or only its app. */
interface RuledClient {
  readonly clientId?: string | undefined;
  readonly app?: RuledApp | undefined;
}

/** For what a rule can stand, the one that applies first: the client itself, otherwise its app. */
function targetsOf({ clientId, app }: RuledClient): AppTarget[] {
  return [...(clientId === undefined ? [] : [{ clientId }]), ...(app ? [{ app: app.id }] : [])];
}

/** Finds the rule of a school for a client: its own, otherwise that of its app. */
export type SchoolRuleFinder = (siteId: string, client: RuledClient) => Promise<AppRule | undefined>;

export function schoolRules(store: RecordStore): SchoolRuleFinder {
  return async (siteId, client) => {
    const ids = targetsOf(client).map(ruleId);
    const found = await Promise.all(ids.map((id) => store.find(siteId, 'AppRule', id)));
    return found.flatMap((each) => (each && ruleOf(each.record)) ?? [])[0];
  };
}

/** The same in decisions that have been read, which also has the record of each. */
export interface SchoolDecisions {
  readonly recordOf: (target: AppTarget) => RecordOf<'AppRule'> | undefined;
  readonly schoolRule: (client: RuledClient) => AppRule | undefined;
}

export function schoolDecisions(records: readonly RecordOf<'AppRule'>[]): SchoolDecisions {
  const byName = new Map(records.map((record) => [targetName(decisionTarget(record)), record]));
  const recordOf = (target: AppTarget): RecordOf<'AppRule'> | undefined => byName.get(targetName(target));
  const ruleFor = (target: AppTarget): AppRule | undefined => {
    const record = recordOf(target);
    return record && ruleOf(record);
  };
  return { recordOf, schoolRule: (client) => targetsOf(client).flatMap((target) => ruleFor(target) ?? [])[0] };
}

/** The platform's function, with its result checked. */
export type PlatformRuleFinder = (request: RuleRequest) => Promise<AppRule | undefined>;

/** What a decision by rules is made from beside the school's. It is made once, so that all who decide and all who list say the same. */
export interface RuleDecisionSources {
  /** Absent without a rule of the platform. */
  readonly platformRule: PlatformRuleFinder | undefined;
  readonly catalogue: ScopeCatalogue;
  /** Those for which a rule can demand a limit. */
  readonly boundaries: readonly DeclaredBoundary[];
  /** Whether a rule can have pseudonyms. */
  readonly hasPseudonyms: boolean;
}

/** The rules for apps and clients, of the school and of the platform. */
export interface AppRuleFinders {
  readonly schoolRule: SchoolRuleFinder;
  readonly sources: RuleDecisionSources;
  /** Those for which a rule can be set. */
  readonly apps: SchoolAppIds;
  /** The id of the app of a client whose id alone tells it. */
  readonly appIdOf: (clientId: string) => string | undefined;
  /** The clients in code that are an app. */
  readonly clientsInCode: (app: string) => readonly string[];
  /** Whether the platform has reviewed a version of a client itself. */
  readonly reviewedInCode: (clientId: string, digest: string) => Promise<boolean>;
}

/** What the host decides on apps. */
export interface RulePolicies {
  readonly platformRule: PlatformRuleFinder | undefined;
  /** The id of the app of a client whose id alone tells it. */
  readonly appIdOf: (clientId: string) => string | undefined;
  /** The ids of the apps that clients in code have, and that policies name. */
  readonly apps: ReadonlySet<string>;
  /** The clients in code that are an app. */
  readonly clientsInCode: (app: string) => readonly string[];
  /** Whether the platform has reviewed a version of a client itself. */
  readonly reviewedInCode: (clientId: string, digest: string) => Promise<boolean>;
}

/** The rule in force, and where it comes from. */
export interface RuleInForce {
  readonly rule: AppRule;
  readonly from: RuleOrigin;
}

/** The stricter of two rules, member by member. */
export async function ruleInForce(
  school: AppRule | undefined,
  platformRule: PlatformRuleFinder | undefined,
  request: RuleRequest,
): Promise<RuleInForce> {
  const rule = school ?? noRule;
  const own = await platformRule?.(request);
  if (own && isStricter(own, rule)) return { rule: stricter(rule, own), from: 'platform' };
  return { rule, from: school ? 'school' : 'default' };
}

interface RuleLimits {
  /** The rule in force. */
  readonly rule: AppRule;
  /** The school's part of it. */
  readonly school: AppRule | undefined;
  /** What a client keeps that knows people by pseudonyms whatever the rules say. @default it knows them by their ids */
  readonly pairwise?: Pairwise | undefined;
  readonly boundaries: readonly DeclaredBoundary[];
  /** What is chosen of the limits that rules demand. */
  readonly chosen: Only | undefined;
}

/**
 * How a client comes to know people by pseudonyms without a rule: the school has chosen that for its own application, together with the
 * identity scopes that it keeps, or it was given that in code.
 */
export type Pairwise = 'chosen' | 'given';

/** Why a scope is taken away. */
export type RemovedFor = 'scopes' | 'pseudonym' | 'limit';

/** Why a scope is taken away, and by whose rule. */
export interface Removal {
  readonly from: Decider;
  readonly by: RemovedFor;
}

/** What takes a scope away; `undefined` if it is left. A pseudonym leaves `openid` alone: a rule that names others gives nothing back. */
export function removedByRule({
  rule,
  school,
  pairwise,
  boundaries,
  chosen,
}: RuleLimits): (scope: string) => Removal | undefined {
  const removes = ({ scopes, pseudonym, limited = [] }: AppRule, scope: string): RemovedFor | undefined => {
    if (pseudonym === true && scope !== 'openid') return 'pseudonym';
    if (scopes?.includes(scope) === false) return 'scopes';
    return missesLimit(boundaries, limited, chosen, scope) ? 'limit' : undefined;
  };
  const keepsPseudonym = (scope: string): boolean =>
    pairwise === 'chosen' ? isIdentityScope(scope) : pairwise === undefined || scope === 'openid';
  return (scope) => {
    const ofSchool = school && removes(school, scope);
    if (ofSchool) return { from: 'school', by: ofSchool };
    const by = removes(rule, scope) ?? (keepsPseudonym(scope) ? undefined : 'pseudonym');
    return by && { from: 'platform', by };
  };
}

/** What of demanded limits is chosen where a person is asked: each type can be, if it is declared. */
export function choosable({ limited = [] }: AppRule): Only {
  return Object.fromEntries(limited.map((type) => [type, []]));
}

/** Whether a limit that is demanded is missing for a scope. Identity scopes have no limits. */
export function missesLimit(
  boundaries: readonly DeclaredBoundary[],
  demanded: readonly string[],
  chosen: Only | undefined,
  scope: string,
): boolean {
  return !isIdentityScope(scope) && lacksLimit(boundaries, demanded, chosen, scope);
}

export function isIdentityScope(scope: string): boolean {
  return identityScopes.some((each) => each === scope);
}
