import type { Member, Site } from '../../host/school-platform.ts';
import type { Scope, ScopeCatalogue } from '../scopes/scopes.ts';
import type { AccessRule } from './rights-by-role.ts';
import { type Allowed, refused } from './allowance.ts';
import { type Decision, decide } from './decide.ts';
import type { ProgramRule } from '../clients/client-status.ts';
import { ruleForPerson, type RuleSources } from './rule-for-person.ts';

export interface ProgramDecisionSources extends RuleSources {
  readonly catalogue: ScopeCatalogue;
  readonly access: (member: Member, audience: 'member') => ReturnType<AccessRule>;
}

export interface ProgramQuestion {
  readonly site: Site;
  readonly program: string;
  /** The school's rule for it. */
  readonly school: ProgramRule | undefined;
  /** @default nobody: what a role decides is left out */
  readonly member: Member | undefined;
  /** @default all for operators */
  readonly scopes?: readonly Scope[] | undefined;
}

export interface ProgramDecision extends Decision {
  /** The rule in force. */
  readonly rule: ProgramRule;
}

/** By the rules alone: which client it will be, what that has been approved for, and what consent policies say, is not known. */
export async function decideProgram(
  sources: ProgramDecisionSources,
  { site, program: id, school, member, scopes }: ProgramQuestion,
): Promise<ProgramDecision> {
  const { catalogue, access } = sources;
  const request = { site, program: { id, verified: true }, member };
  const { rule, refusal, from, asks } = await ruleForPerson(sources, { request, school });
  const most = (scope: Scope): boolean => rule.scopes?.includes(scope) !== false;
  const allowed: Allowed = refusal
    ? refused(refusal, from)
    : {
        has: (scope) => most(scope) && (rule.access !== 'view_only' || catalogue.row(scope)?.access !== 'write'),
        approvable: most,
        asks,
        takenBy: (scope) => (school?.scopes?.includes(scope) === false ? 'school' : 'platform'),
      };
  const decision = await decide({
    catalogue,
    // Whether it will act for an operator is up to the client.
    access: member ? access(member, 'member') : 'permitted',
    allowed,
    requested: scopes ?? catalogue.of('operator'),
    vouched: true,
    policies: async (left) => ({ scopes: left, denied: false, texts: [] }),
  });
  return { ...decision, rule };
}
