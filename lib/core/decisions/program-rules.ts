import type { ListedProgram, RuleRequest, ProgramRule, ProgramTarget, RuledProgram } from './program-rule.ts';
import type { RecordOf } from '../../records/record.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { digest } from '../../kernel/crypto.ts';

/** What applies without a rule. The review of a metadata document is its policy's. */
export const noRule: ProgramRule = { access: 'allowed' };

const order = ['allowed', 'approval', 'blocked'] as const;

/** The stricter of two rules, for access, roles and scopes each. */
export function stricter(a: ProgramRule, b: ProgramRule): ProgramRule {
  const access = order.indexOf(a.access) > order.indexOf(b.access) ? a.access : b.access;
  return { access, roles: common(a.roles, b.roles), scopes: common(a.scopes, b.scopes) };
}

function common(a: readonly string[] | undefined, b: readonly string[] | undefined): readonly string[] | undefined {
  return a && b ? a.filter((each) => b.includes(each)) : (a ?? b);
}

function lacks(now: readonly string[] | undefined, before: readonly string[] | undefined): boolean {
  return now !== undefined && (before === undefined || before.some((each) => !now.includes(each)));
}

/** Whether a rule takes away something that the one before left. */
export function isStricter(after: ProgramRule, before: ProgramRule): boolean {
  const isHarder = order.indexOf(after.access) > order.indexOf(before.access);
  return isHarder || lacks(after.roles, before.roles) || lacks(after.scopes, before.scopes);
}

export function ruleOf({ access, roles, scopes }: RecordOf<'ProgramRule'>): ProgramRule {
  return { access, ...(roles && { roles }), ...(scopes && { scopes }) };
}

/** Distinguishes a client from a program of the same id. */
export function targetName(target: ProgramTarget): string {
  return 'clientId' in target ? `client ${target.clientId}` : `program ${target.program}`;
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
    const record = found.find((each) => each !== undefined)?.record;
    return record && ruleOf(record);
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
