import { type ProgramAccess, programAccesses, type ProgramRule } from '../clients/client-status.ts';
import { type ListedProgram, type ProgramTarget, type RuledProgram, type RuleRequest } from './program-rule.ts';
import { isMetadataDocumentId } from '../clients/client-id.ts';
import type { RecordOf } from '../../records/record.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { digest } from '../../kernel/crypto.ts';

/** What applies without a rule. The review of a metadata document is its policy's. */
export const noRule: ProgramRule = { access: 'allowed' };

function strictness(access: ProgramAccess): number {
  return programAccesses.indexOf(access);
}

/** The stricter of two rules, for access, roles and scopes each. */
export function stricter(a: ProgramRule, b: ProgramRule): ProgramRule {
  const access = strictness(a.access) > strictness(b.access) ? a.access : b.access;
  const rule = { access, roles: common(a.roles, b.roles), scopes: common(a.scopes, b.scopes) };
  return a.pseudonym || b.pseudonym ? { ...rule, pseudonym: true } : rule;
}

function common(a: readonly string[] | undefined, b: readonly string[] | undefined): readonly string[] | undefined {
  return a && b ? a.filter((each) => b.includes(each)) : (a ?? b);
}

function lacks(now: readonly string[] | undefined, before: readonly string[] | undefined): boolean {
  return now !== undefined && (before === undefined || before.some((each) => !now.includes(each)));
}

/** Whether a rule takes away something that the one before left. */
export function isStricter(after: ProgramRule, before: ProgramRule): boolean {
  const isHarder = strictness(after.access) > strictness(before.access);
  const hides = after.pseudonym === true && before.pseudonym !== true;
  return isHarder || hides || lacks(after.roles, before.roles) || lacks(after.scopes, before.scopes);
}

/** Whether two rules say the same. */
export function isSameRule(a: ProgramRule, b: ProgramRule): boolean {
  return !isStricter(a, b) && !isStricter(b, a);
}

/** What a school has decided before. */
interface DecidedBefore {
  /** What applies of it: that on its program, where there is none on the client. */
  readonly rule: ProgramRule;
  /** Whether a version of the client is approved. */
  readonly hasApproval: boolean;
}

/** A new decision on a program or client. */
interface DecidedNow {
  /** `undefined` if the decision goes. */
  readonly rule: ProgramRule | undefined;
  /** What applies then. */
  readonly fallback: ProgramRule;
  /** Absent for a program. */
  readonly clientId: string | undefined;
}

/** An approval stays where what it allows stays allowed. */
export function keepsApproval(rule: ProgramRule | undefined): boolean {
  return rule?.access === 'allowed' || rule?.access === 'ask';
}

/** Whether a decision takes away something that people may have: then their connections end. */
export function takesAway(before: DecidedBefore, { rule, fallback, clientId }: DecidedNow): boolean {
  // Without a decision, only a metadata document needs an approval.
  const matters = rule !== undefined || (clientId !== undefined && isMetadataDocumentId(clientId));
  const losesApproval = before.hasApproval && matters && !keepsApproval(rule);
  return losesApproval || isStricter(rule ?? fallback, before.rule);
}

type StoredAccess = Pick<RecordOf<'ProgramRule'>, 'access' | 'asks'>;

/** In words of the release before, for which nothing may be milder: it knows no approval for each person. */
const stored: Readonly<Record<ProgramAccess, StoredAccess>> = {
  allowed: { access: 'allowed' },
  view_only: { access: 'approval' },
  ask: { access: 'blocked', asks: true },
  blocked: { access: 'blocked' },
};

export function storedAccess(access: ProgramAccess): StoredAccess {
  return stored[access];
}

export function accessIn({ access, asks }: StoredAccess): ProgramAccess {
  if (access === 'approval') return 'view_only';
  return asks ? 'ask' : access;
}

/** Nothing for a decision that only approves a version. */
export function ruleOf(record: RecordOf<'ProgramRule'>): ProgramRule | undefined {
  const { roles, scopes, pseudonym, inherits } = record;
  const more = { ...(roles && { roles }), ...(scopes && { scopes }), ...(pseudonym && { pseudonym }) };
  return inherits ? undefined : { access: accessIn(record), ...more };
}

/** Distinguishes a client from a program of the same id. */
export function targetName(target: ProgramTarget): string {
  return 'clientId' in target ? `client ${target.clientId}` : `program ${target.program}`;
}

/** What a stored decision is for. */
export function decisionTarget({
  client_id: clientId,
  program = '',
}: Pick<RecordOf<'ProgramRule'>, 'client_id' | 'program'>): ProgramTarget {
  return clientId === undefined ? { program } : { clientId };
}

export function ruleId(target: ProgramTarget): string {
  return digest(targetName(target));
}

/** Finds the rule of a school for a client: its own, otherwise that of its program. */
export type SchoolRuleFinder = (
  siteId: string,
  client: { readonly clientId?: string | undefined; readonly program?: RuledProgram | undefined },
) => Promise<ProgramRule | undefined>;

export function schoolRules(store: Pick<RecordStore, 'find'>): SchoolRuleFinder {
  return async (siteId, { clientId, program }) => {
    const targets = [...(clientId === undefined ? [] : [{ clientId }]), ...(program ? [{ program: program.id }] : [])];
    const found = await Promise.all(targets.map((target) => store.find(siteId, 'ProgramRule', ruleId(target))));
    return found.flatMap((each) => (each && ruleOf(each.record)) ?? [])[0];
  };
}

/** The platform's function, with its result checked. */
export type PlatformRuleFinder = (request: RuleRequest) => Promise<ProgramRule | undefined>;

/** The rules for programs and clients, of the school and of the platform. */
export interface ProgramRuleFinders {
  readonly schoolRule: SchoolRuleFinder;
  /** Absent without a rule of the platform. */
  readonly platformRule: PlatformRuleFinder | undefined;
  /** The id of the program of a client whose id alone tells it. */
  readonly programIdOf: (clientId: string) => string | undefined;
}

export async function ruleInForce(
  school: ProgramRule | undefined,
  platform: PlatformRuleFinder | undefined,
  request: RuleRequest,
): Promise<Pick<ListedProgram, 'rule' | 'from'>> {
  const rule = school ?? noRule;
  const own = await platform?.(request);
  if (own && isStricter(own, rule)) return { rule: stricter(rule, own), from: 'platform' };
  return { rule, from: school ? 'school' : 'default' };
}
