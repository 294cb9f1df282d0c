import type { MaybePromise, Member, Service, Site } from '../../host/school-platform.ts';
import { type DeclaredBoundary, type Only, lacksLimit } from '../boundaries/boundary.ts';
import { identityScopes, type ScopeCatalogue } from '../scopes/scopes.ts';
import type { NamedRule } from './ask-policies.ts';
import type { Moment } from './policy.ts';
import { denial, type RoleRights } from './rights-by-role.ts';
import { type Decider, hasOne, noRule, type AppRule, type RuleText, stricter } from './rule.ts';
import { shownRoles } from './school-roles.ts';
import type { Pairwise, UsedClient } from './used-client.ts';

/** A question about a client, for a person or a service. */
export interface Asked {
  readonly site: Site;
  readonly client: UsedClient;
  /** The person. Absent for a service, and until it is known who that is. */
  readonly member: Member | undefined;
  readonly service?: Service | undefined;
  readonly scopes: readonly string[];
  readonly at: Moment;
  /** Whether the question is what `member` may approve for the school. @default false */
  readonly approving?: boolean | undefined;
  /** Whether the answer is for somebody with the role that the client needs, whatever roles the person has. @default false */
  readonly assumesRole?: boolean | undefined;
  /** Whether policies answer for a stranger while nobody is known: to show it, and not to refuse. @default false */
  readonly asStranger?: boolean | undefined;
  /** The limits that were chosen. @default nobody has chosen yet, and each limit can be */
  readonly chosen?: { readonly only: Only | undefined } | undefined;
}

/** What a version of a client may get. */
export interface VersionScopes {
  readonly refusal?: 'client_not_permitted' | 'client_blocked' | undefined;
  /** The scopes that it may get without another approval. @default all */
  readonly open?: ((scope: string) => boolean) | undefined;
}

/** What a permission is made from. What has to be looked up is looked up where a step needs it, and at most once. */
export interface Facts {
  readonly asked: Asked;
  readonly catalogue: ScopeCatalogue;
  readonly boundaries: readonly DeclaredBoundary[];
  /** Whether the school has the client. */
  readonly isHere: boolean;
  readonly right: ReturnType<RoleRights>;
  readonly operatorRoles: readonly string[];
  /** Whether people can have pseudonyms here; at use, whether the token has one. */
  readonly hasPseudonym: boolean;
  /** @default the client knows people by their ids, unless a rule says otherwise */
  readonly pairwise: Pairwise | undefined;
  school(): MaybePromise<AppRule | undefined>;
  policies(): MaybePromise<readonly NamedRule[]>;
  /** Whether the school has said yes to this person. */
  isAllowed(): MaybePromise<boolean>;
  /** @param isViewOnly - whether the rule of the school leaves what changes data to an approval */
  version(isViewOnly: boolean): MaybePromise<VersionScopes>;
}

/** Why a client may not be used, as audit events say it, and for the client's developer. */
export const refusals = {
  client_not_permitted: 'this school does not permit this application; ask an administrator of the school',
  client_blocked: 'this school has blocked the client; ask an administrator of the school',
  client_role: 'this school lets only people with certain roles connect the client; ask an administrator of the school',
  needs_approval: 'this school has not approved the client for this person; ask an administrator of the school',
  no_access: 'this service has no access at this school; ask an administrator of the school',
  secret_ended:
    'the secret with which this access token was requested is no longer valid; request one with the current secret',
} as const;

export type Refusal = keyof typeof refusals;

/** What a step has taken away. */
export interface Taken {
  /** The name of the step. */
  readonly step: string;
  /** Stable, for apps: the `reason` of `authorization.refused`, or `scope`. */
  readonly code: string;
  readonly from: Decider;
  /** The policy whose rule it was. @default none */
  readonly policy?: string | undefined;
  /** `all`: nothing is left. */
  readonly scopes: readonly string[] | 'all';
  /** A sentence for support. */
  readonly text: string;
  /** What would change it. */
  readonly change: string;
  /** For the person. @default none */
  readonly texts?: readonly RuleText[] | undefined;
}

/**
 * What a person gets of an app at a school.
 *
 * - `allowed`: it can be connected, and gets something of what it asks for that changes data, unless it asks for nothing of that kind.
 * - `view_only`: it can be connected, and changes nothing that it asks to change.
 * - `needs_approval`: it gets nothing of what it asks for until an administrator of the school approves it, or allows it for this person.
 * - `blocked`: the school, or the platform, does not let this person connect it.
 * - `impossible`: no decision of the school lets this person connect it.
 */
export type DecisionOutcome = 'allowed' | 'view_only' | 'needs_approval' | 'blocked' | 'impossible';

/** Why nothing is left. */
export interface Refused {
  readonly outcome: Exclude<DecisionOutcome, 'allowed' | 'view_only'>;
  /** Absent if a role is missing, or it is not known who the person is. */
  readonly refusal?: Refusal | undefined;
  readonly by: Decider;
}

/** For this person, this app, now. */
export interface Permission {
  /** What is left of what was asked for. */
  readonly scopes: readonly string[];
  /** What an approval of this version would give in addition. */
  readonly waiting: readonly string[];
  /** The rules that apply, of the school first. */
  readonly said: readonly NamedRule[];
  /** The stricter of all of them. */
  readonly rule: AppRule;
  /** Whether the client knows the person by a pseudonym. */
  readonly pseudonym: boolean;
  /** Whether the school's yes to this person has counted. */
  readonly isAllowed: boolean;
  readonly taken: readonly Taken[];
  /** @default something may be left */
  readonly refused?: Refused | undefined;
}

/** A step takes something away, or returns what it got. */
type Step = (permission: Permission, facts: Facts) => MaybePromise<Permission>;

/** In the order in which they are walked. */
export const steps: readonly Step[] = [
  clientIsHere,
  actorMayUseIt,
  ruleOfSchool,
  rulesOfPlatform,
  actorHasRole,
  schoolAllowsPerson,
  knownByPseudonym,
  scopesOfClient,
  limitsAreChosen,
  approvedVersion,
];

const none: readonly never[] = Object.freeze([]);

/** Walks the steps. Once the client is refused, the rest is not asked, and nothing is looked up for it. */
export async function walk(facts: Facts): Promise<Permission> {
  let found = untouched(facts.asked.scopes);
  for (const step of steps) {
    const next = step(found, facts);
    found = next instanceof Promise ? await next : next;
    if (found.refused) break;
  }
  return found;
}

/** Before the first step. */
export function untouched(scopes: readonly string[]): Permission {
  return { scopes, waiting: none, said: none, rule: noRule, pseudonym: false, isAllowed: false, taken: none };
}

/** Goes on at once, unless something has to be waited for: most steps of a token that is used look nothing up. */
export function after<T, R>(value: MaybePromise<T>, goOn: (found: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}

/** The school has this client. */
export function clientIsHere(p: Permission, { isHere }: Facts): Permission {
  return isHere ? p : refuse(p, clientIsHere, 'client_not_permitted', 'platform');
}

/** The person may use such a client at all. The platform has named the service before. */
export function actorMayUseIt(p: Permission, { right, operatorRoles }: Facts): Permission {
  if (right === 'permitted') return p;
  const [code, change] =
    right === 'no-role'
      ? ['no_access', 'the platform gives the person a role at the school']
      : ['no_operator', `the platform gives the person one of operatorRoles: ${shownRoles(operatorRoles)}`];
  return end(p, { outcome: 'impossible', by: 'platform' }, actorMayUseIt, { code, text: denial[right], change });
}

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

/** What the policies say. No approval of a school ends it: a policy that wants that reads `app.reviewed`. */
export function rulesOfPlatform(p: Permission, facts: Facts): MaybePromise<Permission> {
  return after(facts.policies(), (rules) => {
    let found = p;
    for (const each of rules) {
      found = apply(found, rulesOfPlatform, each, facts);
      if (found.refused) break;
    }
    return found;
  });
}

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

/** The school has said yes to this person, where a rule asks for that. Nobody is asked at refresh and use: no yes is a no. */
export function schoolAllowsPerson(p: Permission, facts: Facts): MaybePromise<Permission> {
  if (p.rule.ask !== true) return p;
  return after(facts.isAllowed(), (isAllowed) => (isAllowed ? { ...p, isAllowed } : refuseUnallowed(p, facts)));
}

function refuseUnallowed(p: Permission, { asked: { member, service } }: Facts): Permission {
  const named = p.said.find(({ rule }) => rule.ask === true);
  const found = refuse(p, schoolAllowsPerson, 'needs_approval', 'school', named);
  // Whether the person is one to whom the school has said yes is not known yet.
  return member || service ? found : { ...found, refused: { outcome: 'needs_approval', by: 'school' } };
}

/** The client knows people by pseudonyms, if that is demanded: never by their own name, also not because a key is missing. */
export function knownByPseudonym(p: Permission, { asked: { client }, hasPseudonym, pairwise }: Facts): Permission {
  const isRuled = p.rule.pseudonym === true;
  if (!isRuled && pairwise === undefined) return p;
  const named = p.said.find(({ rule }) => rule.pseudonym === true);
  const { by, policy } = said(named);
  if (!hasPseudonym) {
    const text = 'the client must know people by pseudonyms only, and the platform has none';
    const change = `the platform sets the option pseudonyms, or ${deciders[by]} no longer demands them`;
    const refused = { outcome: 'impossible', refusal: 'client_not_permitted', by } as const;
    return end(p, refused, knownByPseudonym, { code: 'client_not_permitted', policy, text, change });
  }
  const isChosen = !isRuled && pairwise === 'chosen';
  // A token has only what its client kept.
  const keeps = (scope: string): boolean =>
    scope === 'openid' || (!isRuled && client.token !== undefined) || (isChosen && isIdentityScope(scope));
  return keep({ ...p, pseudonym: true }, knownByPseudonym, keeps, (names) => ({
    code: 'scope',
    from: by,
    policy,
    text: `a pseudonym takes ${names} away: it leaves openid alone`,
    change: `${deciders[by]} lets the client know who people are`,
  }));
}

/** What clients of this audience may have, and this one registered with, or was given where it was created. */
export function scopesOfClient(p: Permission, { asked: { client }, catalogue }: Facts): Permission {
  const own = client.scope?.split(' ');
  const keeps = (scope: string): boolean => catalogue.mayHave(client.audience, scope) && own?.includes(scope) !== false;
  return keep(p, scopesOfClient, keeps, (names) => ({
    code: 'scope',
    from: 'platform',
    text: `the client does not have ${names}`,
    change: 'the client gets the scope where it was created, or registers with it',
  }));
}

/** What a rule gives only with a limit has one. */
export function limitsAreChosen(p: Permission, { asked: { chosen, service }, boundaries }: Facts): Permission {
  const { limited = none } = p.rule;
  if (limited.length === 0) return p;
  // Whom a page asks can choose what is declared. Nobody chooses for a service.
  const only = chosen || service ? chosen?.only : Object.fromEntries(limited.map((type) => [type, none]));
  const keeps = countsWith(p.rule, only, boundaries);
  const { by, policy } = said(p.said.find(({ rule }) => (rule.limited?.length ?? 0) > 0));
  return keep(p, limitsAreChosen, keeps, (names) =>
    chosen && !service
      ? {
          code: 'limit',
          from: by,
          policy,
          text: `a rule demands a limit (${limited.join(', ')}), and the person has allowed ${names} without one`,
          change:
            'the person chooses what it counts for, on the page of their connected apps or when the client asks again',
        }
      : {
          code: 'scope',
          from: by,
          policy,
          text: `a rule gives ${names} only with a limit, which nobody can choose`,
          change: `${deciders[by]} no longer demands the limit`,
        },
  );
}

/** What waits for an approval of this version is approved: for metadata documents, and where the school says view only. */
export function approvedVersion(p: Permission, facts: Facts): MaybePromise<Permission> {
  // The question is what an approval would give.
  if (facts.asked.approving === true) return p;
  const isViewOnly = p.said.some(({ policy, rule }) => policy === undefined && rule.access === 'view_only');
  return after(facts.version(isViewOnly), ({ refusal, open }) => {
    if (refusal) return refuse(p, approvedVersion, refusal, refusal === 'client_blocked' ? 'school' : 'platform');
    if (!open || p.scopes.every(open)) return p;
    const waiting = p.scopes.filter((scope) => !open(scope));
    const found = keep(p, approvedVersion, open, (names) => ({
      code: 'needs_approval',
      from: 'school',
      text: `no administrator has approved ${names}`,
      change: `${deciders.school} approves it`,
    }));
    return { ...found, waiting };
  });
}

/** Whether a scope counts that is given with these limits. No limit is about identity scopes. */
export function countsWith(
  { limited = none }: AppRule,
  only: Only | undefined,
  boundaries: readonly DeclaredBoundary[],
): (scope: string) => boolean {
  return (scope) => isIdentityScope(scope) || !lacksLimit(boundaries, limited, only, scope);
}

/** What a rule takes by itself. What depends on the person, or on an approval, a later step takes. */
function apply(p: Permission, step: Step, named: NamedRule, { catalogue }: Facts): Permission {
  const { policy, rule } = named;
  const { access, scopes } = rule;
  const { by } = said(named);
  const found: Permission = { ...p, rule: stricter(p.rule, rule), said: [...p.said, named] };
  if (access === 'blocked') return refuse(found, step, 'client_blocked', by, named);
  const views = policy !== undefined && access === 'view_only';
  if (!scopes && !views) return found;
  const keeps = (scope: string): boolean =>
    scopes?.includes(scope) !== false && !(views && catalogue.row(scope)?.access === 'write');
  return keep(found, step, keeps, (names) =>
    policy === undefined
      ? {
          code: 'scope',
          from: by,
          text: `a rule takes ${names} away`,
          change: `${deciders[by]} adds the scope to the rule`,
        }
      : {
          code: 'policy',
          from: by,
          policy,
          text: `a policy of the platform (${policy}) takes ${names} away`,
          change: 'the platform changes this policy (option access)',
          texts: textsOf(named),
        },
  );
}

type Loss = Omit<Taken, 'step' | 'scopes'>;

/** `loss` is made only if something is lost. */
function keep(p: Permission, step: Step, keeps: (scope: string) => boolean, loss: (names: string) => Loss): Permission {
  if (p.scopes.every(keeps)) return p;
  const scopes = p.scopes.filter((scope) => !keeps(scope));
  const taken: Taken = { step: step.name, scopes, ...loss(scopes.join(' ')) };
  return { ...p, scopes: p.scopes.filter(keeps), taken: [...p.taken, taken] };
}

/** @param roles - those of which the person needs one */
function refuse(
  p: Permission,
  step: Step,
  refusal: Refusal,
  by: Decider,
  named?: NamedRule,
  roles: readonly string[] = none,
): Permission {
  return end(p, { outcome: outcomes[refusal], refusal, by }, step, {
    code: refusal,
    policy: named?.policy,
    text: refusalText(refusal, by, roles),
    change: changes[refusal](named?.policy !== undefined && by === 'platform' ? undefined : deciders[by]),
    texts: named && textsOf(named),
  });
}

function end(p: Permission, refused: Refused, step: Step, loss: Omit<Loss, 'from'>): Permission {
  const taken: Taken = { step: step.name, scopes: 'all', from: refused.by, ...loss };
  return { ...p, scopes: none, waiting: none, refused, taken: [...p.taken, taken] };
}

/** A refusal that needs no walk: nobody is there who could act. */
export function refusedOutright(refusal: Refusal, by: Decider = 'platform'): Permission {
  return refuse(untouched(none), actorMayUseIt, refusal, by);
}

function said(named: NamedRule | undefined): { readonly by: Decider; readonly policy: string | undefined } {
  return { by: named && named.policy === undefined ? 'school' : 'platform', policy: named?.policy };
}

function textsOf({ rule: { text } }: NamedRule): readonly RuleText[] | undefined {
  return text === undefined ? undefined : [text];
}

const outcomes: Readonly<Record<Refusal, Refused['outcome']>> = {
  client_not_permitted: 'impossible',
  client_blocked: 'blocked',
  client_role: 'blocked',
  needs_approval: 'needs_approval',
  no_access: 'impossible',
  secret_ended: 'impossible',
};

const deciders: Readonly<Record<Decider, string>> = {
  school: 'an administrator of the school',
  platform: 'the platform',
};

/** A policy is code: the platform changes the option. */
const changes: Readonly<Record<Refusal, (decider: string | undefined) => string>> = {
  client_not_permitted: () =>
    'the platform lists the school in the row of the client, or permits the host of the document',
  client_blocked: (decider) => (decider ? `${decider} allows it` : 'the platform changes this policy (option access)'),
  client_role: (decider) =>
    decider
      ? `${decider} adds a role of the person to the rule`
      : 'the platform adds a role of the person to this policy (option access)',
  needs_approval: () => 'an administrator of the school allows it for the person',
  no_access: () => 'the platform returns the service from findService',
  secret_ended: () => 'the service requests a token with its current secret',
};

/** For support, which may know what the client's developer may not. */
function refusalText(code: Refusal, by: Decider, roles: readonly string[]): string {
  const isOfPlatform = by === 'platform';
  if (code === 'client_blocked' && isOfPlatform) return 'the platform has blocked the client at this school';
  if (code !== 'client_role') return refusals[code];
  if (roles.length === 0)
    return 'this school lets nobody connect the client: its rule and that of the platform have no role in common';
  const whose = 'only people with one of these roles connect the client';
  return `${isOfPlatform ? `the platform lets ${whose} at this school` : `this school lets ${whose}`}: ${shownRoles(roles)}`;
}

function isIdentityScope(scope: string): boolean {
  return identityScopes.some((each) => each === scope);
}

/** In one word. */
export function outcomeOf(
  { scopes, waiting, refused }: Permission,
  requested: readonly string[],
  catalogue: ScopeCatalogue,
): DecisionOutcome {
  if (refused) return refused.outcome;
  if (requested.length > 0 && scopes.length === 0) return waiting.length > 0 ? 'needs_approval' : 'blocked';
  const writes = (scope: string): boolean => catalogue.row(scope)?.access === 'write';
  return requested.some(writes) && !scopes.some(writes) ? 'view_only' : 'allowed';
}

/** Whether a person can connect the client now, with some of what it asks for at least. */
export function canConnect(outcome: DecisionOutcome): boolean {
  return outcome === 'allowed' || outcome === 'view_only';
}

/** What the person reads: each text once. */
export function textsFor({ taken }: Permission): readonly RuleText[] {
  return [...new Set(taken.flatMap(({ texts = [] }) => texts))];
}
