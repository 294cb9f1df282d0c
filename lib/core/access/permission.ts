import type { MaybePromise, Member, Service, Site } from '../../host/school-platform.ts';
import type { DeclaredBoundary, Only } from '../boundaries/boundary.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import type { NamedRule } from './ask-policies.ts';
import type { Moment } from './policy.ts';
import type { RoleRights } from './operator-and-admin-roles.ts';
import { type Decider, noRule, type AppRule, type RuleText } from './rule.ts';
import type { Pairwise, UsedClient } from './used-client.ts';
import type { Refusal } from './who-can-change.ts';

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
  /** Whether all is wanted that takes something away, also after a refusal: to show it. @default false */
  readonly allReasons?: boolean | undefined;
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
  /** The change that would help. */
  readonly change: string;
  /** For the person. @default none */
  readonly texts?: readonly RuleText[] | undefined;
}

/**
 * The outcome for a person and an app at a school.
 *
 * - `allowed`: the person can connect it. If it asks to change data, it can change some.
 * - `view_only`: the person can connect it, but it cannot change data.
 * - `needs_approval`: it gets no requested scope until an administrator of the school approves it, or allows it for this person.
 * - `blocked`: the school or the platform does not let this person connect it.
 * - `impossible`: the school cannot let this person connect it.
 */
export type PermissionOutcome = 'allowed' | 'view_only' | 'needs_approval' | 'blocked' | 'impossible';

/** Why nothing is left. */
export interface Refused {
  readonly outcome: Exclude<PermissionOutcome, 'allowed' | 'view_only'>;
  /** Absent if a role is missing, or it is not known who the person is. */
  readonly refusal?: Refusal | undefined;
  readonly by: Decider;
  /** The roles of which the person needs one. Absent if it is not a matter of that. */
  readonly roles?: readonly string[] | undefined;
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
export type Step = (permission: Permission, facts: Facts) => MaybePromise<Permission>;

export const none: readonly never[] = Object.freeze([]);

/** Before the first step. */
export function untouched(scopes: readonly string[]): Permission {
  return { scopes, waiting: none, said: none, rule: noRule, pseudonym: false, isAllowed: false, taken: none };
}

/** A refusal leaves nothing, whatever was not taken before it. */
export function asRefused(permission: Permission): Permission {
  return permission.refused ? { ...permission, scopes: none, waiting: none } : permission;
}

/** Goes on at once, unless something has to be waited for: most steps of a token that is used look nothing up. */
export function after<T, R>(value: MaybePromise<T>, goOn: (found: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}

/** In one word. */
export function outcomeOf(
  { scopes, waiting, refused }: Permission,
  requested: readonly string[],
  catalogue: ScopeCatalogue,
): PermissionOutcome {
  if (refused) return refused.outcome;
  if (requested.length > 0 && scopes.length === 0) return waiting.length > 0 ? 'needs_approval' : 'blocked';
  const writes = (scope: string): boolean => catalogue.row(scope)?.access === 'write';
  return requested.some(writes) && !scopes.some(writes) ? 'view_only' : 'allowed';
}

/** Whether a person can connect the client now, with some of what it asks for at least. */
export function canConnect(outcome: PermissionOutcome): boolean {
  return outcome === 'allowed' || outcome === 'view_only';
}

/** What the person reads: each text once. */
export function textsFor({ taken }: Permission): readonly RuleText[] {
  return [...new Set(taken.flatMap(({ texts = [] }) => texts))];
}
