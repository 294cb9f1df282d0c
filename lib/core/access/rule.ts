import { ownEntry } from '../../kernel/own-entry.ts';
import type { AppStatus } from '../clients/client-status.ts';
import type { Scope } from '../scopes/scopes.ts';

/**
 * How much a rule leaves.
 *
 * - `allowed`: people can connect it, as without a rule. A metadata document still gets only what was approved of its version.
 * - `view_only`: it can get identity and read scopes only. That of a school ends where an administrator approves a version of it; that of a
 *   policy does not.
 * - `blocked`: nobody can connect it. The other members of a rule say nothing beside it.
 */
export type AppAccess = 'allowed' | 'view_only' | 'blocked';

/** From the mildest to the strictest. @internal */
export const appAccesses = ['allowed', 'view_only', 'blocked'] as const satisfies readonly AppAccess[];

/** A text in one language, or by the tags of languages: `{ en: 'Ask us.', 'zh-Hant': '請先詢問。' }`. */
export type RuleText = string | Readonly<Record<string, string>>;

/** A text in one of these languages, the best first; otherwise in the first that it has. */
export function textIn(languages: readonly string[], text: RuleText): string {
  if (typeof text === 'string') return text;
  const [first = ''] = Object.values(text);
  return [...languages, 'en'].map((language) => ownEntry(text, language)).find((found) => found !== undefined) ?? first;
}

/** A rule, which a policy returns or a school sets. A rule can only restrict. Absent members do not restrict anything. */
export interface AccessRule {
  /** @default 'allowed' */
  readonly access?: AppAccess | undefined;
  /**
   * Whether each person needs the school's permission (`allowPerson`). It applies with any `access`, including `view_only`. @default false
   */
  readonly ask?: boolean | undefined;
  /**
   * The roles of which a person needs one to connect it. The school's permission for one person also admits people without the roles of the
   * school's rule, but not without the roles of a policy. @default everyone who may use such a client
   */
  readonly roles?: readonly string[] | undefined;
  /** The scopes that it can get at most, including the identity scopes. @default all that such a client can get */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * Whether the clients know people by pseudonyms, with the option `pseudonyms`. They then get only `openid`, whatever `scopes` says.
   * @default false
   */
  readonly pseudonym?: boolean | undefined;
  /**
   * Types of the option `boundaries` for which each person must choose items. "All" is not offered, and a connection without the limit does
   * not get the limited scopes. Services and first-party clients do not get them either, because no one chooses for them. @default the
   * person decides
   */
  readonly limited?: readonly string[] | undefined;
  /** The text for the person when this rule restricts them. @default none */
  readonly text?: RuleText | undefined;
}

/** A school's rule for an app or for one client. */
export interface AppRule extends Omit<AccessRule, 'text'> {
  readonly access: AppAccess;
}

/** What applies without a rule. The review of a metadata document is its policy's. */
export const noRule: AppRule = Object.freeze({ access: 'allowed' });

function strictness({ access = 'allowed' }: AccessRule): number {
  return appAccesses.indexOf(access);
}

/**
 * The stricter of two rules, member by member: whatever one of them takes away is gone, and their order does not matter. The result has no text: that
 * belongs to its own rule.
 */
export function stricter(a: AccessRule, b: AccessRule): AppRule {
  const { access = 'allowed' } = strictness(a) > strictness(b) ? a : b;
  const rule = { access, roles: common(a.roles, b.roles), scopes: common(a.scopes, b.scopes) };
  const limited = [...new Set([...(a.limited ?? []), ...(b.limited ?? [])])];
  const ask = a.ask === true || b.ask === true;
  const pseudonym = a.pseudonym === true || b.pseudonym === true;
  return { ...rule, ...(ask && { ask }), ...(pseudonym && { pseudonym }), ...(limited.length > 0 && { limited }) };
}

/** What all of them leave. */
export function combine(rules: readonly AccessRule[]): AppRule {
  return rules.reduce<AppRule>(stricter, noRule);
}

function common<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined {
  return a && b ? a.filter((each) => b.includes(each)) : (a ?? b);
}

function isNarrower(now: readonly string[] | undefined, before: readonly string[] | undefined): boolean {
  return now !== undefined && (before === undefined || before.some((each) => !now.includes(each)));
}

/** Whether a rule takes away something that the one before left. */
export function isStricter(after: AccessRule, before: AccessRule): boolean {
  const isHarder = strictness(after) > strictness(before);
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
export function isSameRule(a: AccessRule, b: AccessRule): boolean {
  return !isStricter(a, b) && !isStricter(b, a);
}

/** A rule in one word, as far as that can say it: what comes first for the person who meets it. @internal */
export function ruleWord({ access = 'allowed', ask }: AccessRule): RuleWord {
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

/** The party that has decided, and can change it. */
export type Decider = 'school' | 'platform';

/** Whether somebody has one of these roles. A loop, since it runs at each use of a token. */
export function hasOne(held: readonly string[], named: readonly string[]): boolean {
  for (const role of held) if (named.includes(role)) return true;
  return false;
}
