import type { ClientSource } from '../clients/client-source.ts';
import type { ClientFinder } from '../clients/finder.ts';
import { clientInfo } from '../clients/metadata.ts';
import type { HostPlatform } from '../../host/platform.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import { OAuthError, TemporarilyUnavailable } from '../../kernel/errors.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { type Scope, type ScopeCatalogue, splitScope } from '../scopes/scopes.ts';
import type { AccessRegister } from './access-rule.ts';
import { type Allowance, type Allowed, clientUse, clientVersion, refused } from './allowance.ts';
import { type Approval, askConsentPolicies, type PolicySources } from './consent-policy.ts';
import { type Decision, type DecisionOutcome, decide, type DecisionReason } from './decide.ts';
import type { ProgramTarget } from './program-rule.ts';
import { type ProgramRuleFinders, ruleId, ruleInForce } from './program-rules.ts';
import type { ServiceAllowance } from './service-allowance.ts';

/** For what `campus.explain` says the decision: a client, or a program, however it becomes a client. */
export type ExplainQuestion = ProgramTarget & {
  /** The person. @default nobody: what a role, and a consent policy, decide is left out */
  readonly memberId?: string | undefined;
  /** What is asked for. @default all that the client may ask for */
  readonly scopes?: readonly Scope[] | undefined;
};

/** What a person gets of a client or program, and why. */
export interface Explanation extends Pick<Decision, 'scopes' | 'waiting' | 'texts'> {
  readonly outcome: DecisionOutcome;
  /** The approval of this version of the client. @default there is none */
  readonly approved?: Approval | undefined;
  /** In the order in which they are looked at; empty if all that was asked for is allowed. */
  readonly reasons: readonly DecisionReason[];
}

/**
 * The decision about a client or a program at a school, and its reasons. Nothing is fetched and nothing is written: a metadata document
 * is taken as it was fetched last.
 *
 * @throws TemporarilyUnavailable if the store or the platform fails: that is not a decision
 */
export type Explain = (site: Site, question: ExplainQuestion) => Promise<Explanation>;

export interface ExplainOptions extends PolicySources {
  readonly catalogue: ScopeCatalogue;
  readonly platform: HostPlatform;
  readonly store: Pick<RecordStore, 'find'>;
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
  readonly source: Pick<ClientSource, 'scopes'>;
  readonly rules: ProgramRuleFinders;
  readonly allowance: Allowance;
  readonly serviceAllowance: ServiceAllowance;
  readonly access: AccessRegister;
}

export function createExplain(options: ExplainOptions): Explain {
  return async (site, question) => {
    const { memberId } = question;
    const member = memberId === undefined ? undefined : await options.platform.findMember(site, memberId);
    if (memberId !== undefined && !member) return explained(impossible(noMember));
    return 'program' in question
      ? explainProgram(options, site, question, member)
      : explainClient(options, site, question, member);
  };
}

const noMember: DecisionReason = {
  code: 'no_member',
  text: 'findMember returns no such person at this school',
  from: 'platform',
  change: 'ask with the id that the platform uses for the person',
};

const noClient: DecisionReason = {
  code: 'unknown_client',
  text: 'the school has no client with this client_id',
  from: 'school',
  change: 'the program registers again, or its settings get the client_id of an application of the school',
};

function impossible(reason: DecisionReason): Decision {
  const none = { scopes: [], beyond: [], waiting: [], texts: [], refusal: undefined };
  return { ...none, outcome: 'impossible', reasons: [reason] };
}

function explained({ outcome, scopes, waiting, texts, reasons }: Decision, approved?: Approval): Explanation {
  return { outcome, scopes, waiting, texts, reasons, ...(approved && { approved }) };
}

async function explainClient(
  options: ExplainOptions,
  site: Site,
  question: Extract<ExplainQuestion, { readonly clientId: string }>,
  member: Member | undefined,
): Promise<Explanation> {
  const { catalogue, access, allowance, serviceAllowance } = options;
  const { clientId } = question;
  const found = await findClient(options, site, clientId);
  if ('code' in found) return explained(impossible(found));
  const metadata = found.client;
  const client = clientInfo(metadata);
  const use = clientUse(metadata);
  const isService = client.audience === 'service';
  const asked = question.scopes ?? scopesOf(metadata, catalogue, client.audience);
  const decision = await decide({
    catalogue,
    // No person connects a service.
    access: member && !isService ? access(member, client.audience) : 'permitted',
    allowed: isService
      ? await serviceAllowance(site, metadata, undefined)
      : use
        ? await allowance({ ...use, site, member })
        : refused('client_not_permitted'),
    requested: asked.filter(catalogue.has),
    purpose: 'explain',
    mayApprove: false,
    vouched: client.reviewed,
    policies: async (scopes, purpose) =>
      member && !isService
        ? askConsentPolicies(options, { site, member, metadata, scopes, purpose })
        : { scopes, denied: false, texts: [] },
  });
  const approved = await options.approvalOf(site.id, clientId, clientVersion(metadata));
  const program = client.program?.id ?? options.rules.programIdOf(clientId);
  return explained(await dated(options, site, { clientId }, program, decision), approved);
}

function scopesOf(
  { scope }: ClientMetadata,
  catalogue: ScopeCatalogue,
  audience: Parameters<ScopeCatalogue['of']>[0],
): readonly Scope[] {
  return scope === undefined ? catalogue.of(audience) : splitScope(scope);
}

/** A client as it is stored, or why there is none. */
async function findClient(
  { clients, source, catalogue }: ExplainOptions,
  site: Site,
  clientId: string,
): Promise<{ readonly client: ClientMetadata } | DecisionReason> {
  try {
    const client = await clients(site.id, clientId, 'identify');
    if (client?.campus_source !== 'document') return client ? { client } : noClient;
    const given = await source.scopes?.(site.id, clientId);
    const reviewed = given?.some((scope) => catalogue.row(scope)?.access === 'write') ?? false;
    return { client: { ...client, campus_audience: 'operator', campus_reviewed: reviewed } };
  } catch (error) {
    if (!(error instanceof OAuthError) || error instanceof TemporarilyUnavailable) throw error;
    return {
      ...noClient,
      text: error.message,
      from: 'platform',
      change: 'the platform permits it, or another client is used',
    };
  }
}

/** By the rules alone: which client it will be, is not known. */
async function explainProgram(
  options: ExplainOptions,
  site: Site,
  { program: id, scopes }: Extract<ExplainQuestion, { readonly program: string }>,
  member: Member | undefined,
): Promise<Explanation> {
  const { catalogue, rules, access } = options;
  const program = { id, verified: true };
  const school = await rules.schoolRule(site.id, { program });
  const { rule, from } = await ruleInForce(school, rules.platformRule, { site, program, member });
  const whose = from === 'default' ? undefined : from;
  const most = (scope: Scope): boolean => rule.scopes?.includes(scope) !== false;
  const lacksRole = member && rule.roles && !member.roles.some((role) => rule.roles?.includes(role));
  const allowed: Allowed =
    rule.access === 'blocked'
      ? refused('client_blocked', whose)
      : lacksRole
        ? refused('client_role', whose)
        : {
            has: (scope) => most(scope) && (rule.access !== 'approval' || catalogue.row(scope)?.access !== 'write'),
            approvable: most,
            from: whose,
          };
  const decision = await decide({
    catalogue,
    access: member ? access(member, 'operator') : 'permitted',
    allowed,
    requested: (scopes ?? catalogue.of('operator')).filter(catalogue.has),
    purpose: 'explain',
    mayApprove: false,
    vouched: true,
    policies: async (left) => ({ scopes: left, denied: false, texts: [] }),
  });
  return explained(await dated(options, site, { program: id }, id, decision));
}

/** With the time since when the school has decided so: that of the client's rule, otherwise of its program's. */
async function dated(
  { store }: ExplainOptions,
  site: Site,
  target: ProgramTarget,
  program: string | undefined,
  decision: Decision,
): Promise<Decision> {
  if (!decision.reasons.some(({ from }) => from === 'school')) return decision;
  const targets = [target, ...(program === undefined ? [] : [{ program }])];
  const found = await Promise.all(targets.map((each) => store.find(site.id, 'ProgramRule', ruleId(each))));
  const since = found.find((each) => each !== undefined)?.record.at;
  if (since === undefined) return decision;
  const reasons = decision.reasons.map((reason) => (reason.from === 'school' ? { ...reason, since } : reason));
  return { ...decision, reasons };
}
