import type { Scope } from '../scopes/scopes.ts';

/**
 * What a rule leaves of an app or client.
 *
 * - `allowed`: people can connect it, as without a rule. A metadata document still gets only what was approved of its version.
 * - `view_only`: it can get identity and read scopes only, until an administrator approves a version of it.
 * - `blocked`: nobody can connect it. The other members of a rule say nothing beside it, and the page of the app starts from them once it is unblocked.
 */
export type AppAccess = 'allowed' | 'view_only' | 'blocked';

/** From the mildest to the strictest. @internal */
export const appAccesses = ['allowed', 'view_only', 'blocked'] as const satisfies readonly AppAccess[];

/** What a school, or the platform for it, says of an app or of one client. Rules only take away: nothing is given by one. */
export interface AppRule {
  readonly access: AppAccess;
  /** Each person needs an approval (`allowPerson`). It is beside `access`: what only views may need one as well. @default false */
  readonly ask?: boolean | undefined;
  /**
   * Only people with one of these roles, which the school must have, can connect it, and those for whom the school has decided so one by
   * one. @default everyone who may use such a client
   */
  readonly roles?: readonly string[] | undefined;
  /** The most that it can get; the identity scopes count. @default all that such a client can get */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * The clients know people by pseudonyms, with the option `pseudonyms`: they get `openid` alone, whatever `scopes` names. @default false
   */
  readonly pseudonym?: boolean | undefined;
  /**
   * Types of the option `boundaries` for which each person must choose items: "all" is not offered, and a connection without that limit gives none of
   * the scopes that it would limit. Services and first-party clients, for which nobody chooses, get none of them. @default the person decides
   */
  readonly limited?: readonly string[] | undefined;
}

/**
 * What an app or client may do at a school, in one word. Roles and the decision on one person can say less for some.
 *
 * - `allowed`: people can connect it, and choose what it may do.
 * - `view_only`: people can connect it, and it changes nothing, until an administrator allows that.
 * - `needs_approval`: nobody can connect it before an administrator has allowed it for them.
 * - `blocked`: nobody can connect it.
 */
export type AppStatus = 'allowed' | 'view_only' | 'needs_approval' | 'blocked';

/** A rule in one word, as far as that can say it: what comes first for the person who meets it. @internal */
export function ruleWord({ access, ask }: AppRule): RuleWord {
  return ask === true && access !== 'blocked' ? 'ask' : access;
}

/** @internal */
export type RuleWord = AppAccess | 'ask';

/** The word that a rule gives to what it is made on, as far as nothing else takes something away. @internal */
export const statusOfRule = {
  allowed: 'allowed',
  view_only: 'view_only',
  ask: 'needs_approval',
  blocked: 'blocked',
} as const satisfies Readonly<Record<RuleWord, AppStatus>>;

/** What is decided about the current version of a client: `waiting` if a metadata document waits for that. */
export type VersionState = 'approved' | 'waiting' | 'rejected' | 'undecided';

/** What an administrator may write with a decision. */
export interface DecisionNote {
  /** The id of the member who decides. @default unknown */
  readonly by?: string | undefined;
  /** Why, for the administrators of the school. At most 1,000 characters. @default none */
  readonly reason?: string | undefined;
}

/** Who decided, when and why. */
export interface Decided extends DecisionNote {
  /** In seconds since the epoch. */
  readonly at: number;
}
