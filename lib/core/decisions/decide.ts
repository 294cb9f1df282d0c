import type { Scope, ScopeCatalogue } from '../scopes/scopes.ts';
import { type AccessRule, denial } from './rights-by-role.ts';
import { type Allowed, type Refusal, refusals } from './allowance.ts';
import type { Decider } from './app-rule.ts';
import type { Removal, RemovedFor } from './app-rules.ts';
import { shownRoles } from './school-roles.ts';
import type { ConsentOutcome } from './consent-policy.ts';

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

/** One of the facts that a decision is made from. */
export interface DecisionReason {
  /** Stable, for apps: the `reason` of `authorization.refused`, or `scope`, `no_member`. */
  readonly code: string;
  /** A sentence for support. */
  readonly text: string;
  /** Whose decision it is. */
  readonly from: Decider;
  /** Since when, in seconds since the epoch. @default it is not a decision that is stored */
  readonly since?: number | undefined;
  /** The id of the member who has decided so. @default unknown, or it is not a decision that is stored */
  readonly by?: string | undefined;
  /** What they wrote with it. @default nothing */
  readonly note?: string | undefined;
  /** What would change it. */
  readonly change: string;
}

type AskedPolicies = (scopes: readonly Scope[]) => Promise<ConsentOutcome>;

export interface DecisionInput {
  readonly catalogue: ScopeCatalogue;
  readonly access: ReturnType<AccessRule>;
  /** Which roles make an operator. @default nobody is refused for that */
  readonly operatorRoles?: readonly string[] | undefined;
  readonly allowed: Allowed;
  readonly requested: readonly Scope[];
  /** What the consent policies leave of scopes. */
  readonly policies: AskedPolicies;
  /** What they leave to an approval by the person. @default the person does not decide for the school, or is not asked to */
  readonly approving?: AskedPolicies | undefined;
  /** Whether the platform or the school vouches for the client already. */
  readonly vouched: boolean;
}

export interface Decision {
  readonly outcome: DecisionOutcome;
  /** What can be given now. */
  readonly scopes: readonly Scope[];
  /** What the person can give in addition, by approving the client for the school. */
  readonly beyond: readonly Scope[];
  /** What an approval by the person counts for, with what can be given now. */
  readonly approval: readonly Scope[];
  /** What waits for an administrator. */
  readonly waiting: readonly Scope[];
  /** Explanations of consent policies, for the person. */
  readonly texts: readonly string[];
  readonly refusal: Refusal | undefined;
  /** In the order in which they are looked at. */
  readonly reasons: readonly DecisionReason[];
}

/**
 * What a person gets of a client, or a service with a token: by role, by the rules of school and platform, by approvals and by consent
 * policies, in this order. All that connects asks here, through
 * `personDecision`, `serviceDecision` or `decideByRules`, which lists ask. Each use of a token asks the allowance alone, which is an input of this decision: consent
 * policies are asked when something is given, not at each request.
 */
export async function decide(input: DecisionInput): Promise<Decision> {
  const { access, operatorRoles = [], allowed, requested, policies, approving, vouched } = input;
  if (access !== 'permitted') return nothing('impossible', undefined, noRoleReason(access, operatorRoles));
  const { refusal, mayGrant, approvable } = allowed;
  if (refusal) {
    return nothing(outcomes[refusal], refusal, refusalReason(refusal, allowed));
  }
  if (allowed.asks) return nothing('needs_approval', undefined, refusalReason('needs_approval', allowed));
  const grantable = requested.filter(mayGrant);
  const waiting = requested.filter((scope) => !mayGrant(scope) && approvable(scope));
  const now = await policies(grantable);
  // A policy that denies what waits denies it after an approval as well.
  const denies = now.denied || (grantable.length === 0 && waiting.length > 0 && (await policies(waiting)).denied);
  const approval =
    approving && (waiting.length > 0 || !vouched)
      ? await approving(requested.filter(approvable))
      : { scopes: now.scopes, texts: [] };
  const isNarrowed = denies || now.scopes.length < grantable.length;
  return {
    outcome: denies ? 'blocked' : outcomeOf(input, now.scopes, waiting),
    scopes: now.scopes,
    beyond: approval.scopes.filter((scope) => !now.scopes.includes(scope)),
    approval: approval.scopes,
    waiting,
    texts: [...new Set([...now.texts, ...approval.texts])],
    refusal: undefined,
    reasons: [
      ...(isNarrowed ? [policyReason(now.texts)] : []),
      ...(waiting.length > 0 ? [waitingReason(waiting)] : []),
      ...removedReasons(requested, [...grantable, ...waiting], allowed),
    ],
  };
}

function nothing(outcome: DecisionOutcome, refusal: Refusal | undefined, reason: DecisionReason): Decision {
  return { outcome, scopes: [], beyond: [], approval: [], waiting: [], texts: [], refusal, reasons: [reason] };
}

function outcomeOf(
  { requested, catalogue }: DecisionInput,
  scopes: readonly Scope[],
  waiting: readonly Scope[],
): DecisionOutcome {
  const writes = (scope: Scope): boolean => catalogue.row(scope)?.access === 'write';
  if (requested.length > 0 && scopes.length === 0) return waiting.length > 0 ? 'needs_approval' : 'blocked';
  return requested.some(writes) && !scopes.some(writes) ? 'view_only' : 'allowed';
}

function noRoleReason(why: keyof typeof denial, operatorRoles: readonly string[]): DecisionReason {
  const reason = { text: denial[why], from: 'platform' } as const;
  return why === 'no-role'
    ? { code: 'no_access', ...reason, change: 'the platform gives the person a role at the school' }
    : {
        code: 'no_operator',
        ...reason,
        change: `the platform gives the person one of operatorRoles: ${shownRoles(operatorRoles)}`,
      };
}

const outcomes: Readonly<Record<Refusal, DecisionOutcome>> = {
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

const changes: Readonly<Record<Refusal, (decider: string) => string>> = {
  client_not_permitted: () =>
    'the platform lists the school in the row of the client, or permits the host of the document',
  client_blocked: (decider) => `${decider} allows it`,
  client_role: (decider) => `${decider} adds a role of the person to the rule`,
  needs_approval: () => 'an administrator of the school allows it for the person',
  no_access: () => 'the platform returns the service from findService',
  secret_ended: () => 'the service requests a token with its current secret',
};

const missingTexts: Readonly<Record<NonNullable<Allowed['missing']>, string>> = {
  pseudonyms: 'the client must know people by pseudonyms only, and the platform has none',
};

function refusalReason(code: Refusal, allowed: Allowed): DecisionReason {
  const { refusedBy: from = 'platform', missing } = allowed;
  if (missing)
    return {
      code,
      text: missingTexts[missing],
      from,
      change: `the platform sets the option ${missing}, or ${deciders[from]} no longer demands them`,
    };
  return { code, text: refusalText(code, from, allowed), from, change: changes[code](deciders[from]) };
}

/** For support, which may know what the client's developer may not. */
function refusalText(code: Refusal, from: Decider, { roles = [] }: Allowed): string {
  const isOfPlatform = from === 'platform';
  if (code === 'client_blocked' && isOfPlatform) return 'the platform has blocked the client at this school';
  if (code !== 'client_role') return refusals[code];
  if (roles.length === 0)
    return 'this school lets nobody connect the client: its rule and that of the platform have no role in common';
  const whose = 'only people with one of these roles connect the client';
  return `${isOfPlatform ? `the platform lets ${whose} at this school` : `this school lets ${whose}`}: ${shownRoles(roles)}`;
}

function waitingReason(waiting: readonly Scope[]): DecisionReason {
  return {
    code: 'needs_approval',
    text: `no administrator has approved ${waiting.join(' ')}`,
    from: 'school',
    change: `${deciders.school} approves it`,
  };
}

/** The scopes that the client itself does not have, and those that a rule or a pseudonym takes away. */
function removedReasons(
  requested: readonly Scope[],
  left: readonly Scope[],
  { removedBy = () => undefined }: Allowed,
): DecisionReason[] {
  const gone = requested.filter((scope) => !left.includes(scope));
  const byReason = Map.groupBy(gone, (scope) => {
    const { from, by } = removedBy(scope) ?? {};
    return `${from} ${by}`;
  });
  return [...byReason.values()].flatMap((scopes) => {
    const removal = scopes[0] && removedBy(scopes[0]);
    const names = scopes.join(' ');
    return removal ? removedReason(removal, names) : notOfClient(names);
  });
}

const removals: Readonly<
  Record<RemovedFor, (names: string, decider: string) => { readonly text: string; readonly change: string }>
> = {
  scopes: (names, decider) => ({
    text: `a rule takes ${names} away`,
    change: `${decider} adds the scope to the rule`,
  }),
  pseudonym: (names, decider) => ({
    text: `a pseudonym takes ${names} away: it leaves openid alone`,
    change: `${decider} lets the client know who people are`,
  }),
  limit: (names, decider) => ({
    text: `a rule gives ${names} only with a limit, which nobody can choose`,
    change: `${decider} no longer demands the limit`,
  }),
};

function removedReason({ from, by }: Removal, names: string): DecisionReason {
  return { code: 'scope', from, ...removals[by](names, deciders[from]) };
}

function notOfClient(names: string): DecisionReason {
  return {
    code: 'scope',
    text: `the client does not have ${names}`,
    from: 'platform',
    change: 'the client gets the scope where it was created, or registers with it',
  };
}

function policyReason(texts: readonly string[]): DecisionReason {
  const text = ['a consent policy of the platform takes something away', ...texts].join(': ');
  return { code: 'policy', text, from: 'platform', change: 'the platform changes its policy (option consent)' };
}
