import { type Only, undeclaredIn } from '../boundaries/boundary.ts';
import { clientInfo } from '../clients/client-metadata.ts';
import type { HostPlatform } from '../../host/checked-platform.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { type ClientMetadata, grantIdOf, type GrantRecord } from '../../records/codec.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { type Scope, type ScopeCatalogue, splitScope } from '../scopes/scopes.ts';
import type { AccessRegister } from './rights-by-role.ts';
import { type Allowance, type Allowed, clientUse, refused } from './allowance.ts';
import type { Approval } from './consent-policy.ts';
import type { Decision, DecisionOutcome, DecisionReason } from './decide.ts';
import type { PersonDecision } from './person-decision.ts';
import type { AppTarget } from './app-rule.ts';
import { noRule, type AppRuleFinders, ruleId, ruleOf } from './app-rules.ts';
import type { NoSuchApp } from './school-apps.ts';
import { decideByRules } from './decision-by-rules.ts';
import type { ServiceAllowance } from './service-allowance.ts';
import type { ServiceDecision } from './service-decision.ts';
import type { StoredClientFinder } from './stored-client.ts';
import type { PersonDecisionFinder } from './person-decisions.ts';
import type { ClientAudience } from '../clients/client.ts';

/** For what `campus.explain` says the decision: a client, or an app, however it becomes a client. */
export type ExplainQuestion = AppTarget & {
  /** The person. @default nobody: what a role, and a consent policy, decide is left out */
  readonly memberId?: string | undefined;
  /** What is asked for. @default all that the client may ask for */
  readonly scopes?: readonly Scope[] | undefined;
};

/** What a person gets of a client or app, and why. */
export interface Explanation {
  readonly outcome: DecisionOutcome;
  /** What can be given now. */
  readonly scopes: readonly Scope[];
  /** What waits for an administrator. */
  readonly waiting: readonly Scope[];
  /** Explanations of consent policies, for the person. */
  readonly texts: readonly string[];
  /** What the person has limited the client to: ids by the type of boundary. @default nothing, or it is not connected */
  readonly only?: Only | undefined;
  /** The types of boundary for which a rule demands that the person limits it. @default none */
  readonly limited?: readonly string[] | undefined;
  /** The approval of this version of the client. @default there is none */
  readonly approved?: Approval | undefined;
  /** In the order in which they are looked at; empty if all that was asked for is allowed. */
  readonly reasons: readonly DecisionReason[];
}

/**
 * The decision about a client or an app at a school, and its reasons. Nothing is fetched and nothing is written: a metadata document
 * is taken as it was fetched last.
 *
 * @throws TemporarilyUnavailable if the store or the platform fails: that is not a decision
 */
export type Explain = (site: Site, question: ExplainQuestion) => Promise<Explanation>;

export interface ExplainOptions {
  readonly personDecided: PersonDecisionFinder;
  readonly catalogue: ScopeCatalogue;
  readonly platform: HostPlatform;
  readonly store: RecordStore;
  readonly storedClient: StoredClientFinder;
  readonly rules: AppRuleFinders;
  readonly allowance: Allowance;
  readonly personDecision: PersonDecision;
  readonly serviceAllowance: ServiceAllowance;
  readonly serviceDecision: ServiceDecision;
  readonly access: AccessRegister;
}

export function createExplain(options: ExplainOptions): Explain {
  return async (site, question) => {
    const { memberId, scopes = [] } = question;
    const unknown = scopes.find((scope) => !options.catalogue.has(scope));
    if (unknown !== undefined) throw new InvalidRequest(`${unknown} is not a scope here; campus.scopes lists them`);
    const member = memberId === undefined ? undefined : await options.platform.findMember(site, memberId);
    if (memberId !== undefined && !member) return explained(impossible(noMember));
    return 'app' in question
      ? explainApp(options, site, question, member)
      : explainClient(options, site, question, member);
  };
}

const noMember: DecisionReason = {
  code: 'no_member',
  text: 'findMember returns no such person at this school',
  from: 'platform',
  change: 'ask with the id that the platform uses for the person',
};

function noApp({ message }: NoSuchApp): DecisionReason {
  return {
    code: 'unknown_client',
    text: 'no app with this id is known, and the school has no rule for it',
    from: 'platform',
    change: `ask with another id: ${message}`,
  };
}

const noClient: DecisionReason = {
  code: 'unknown_client',
  text: 'the school has no client with this client_id',
  from: 'school',
  change: 'the app registers again, or its settings get the client_id of an application of the school',
};

function impossible(reason: DecisionReason): Decision {
  const none = { scopes: [], beyond: [], approval: [], waiting: [], texts: [], refusal: undefined };
  return { ...none, outcome: 'impossible', reasons: [reason] };
}

function explained(
  { outcome, scopes, waiting, texts, reasons }: Decision,
  { approved, only, limited }: Partial<Explanation> = {},
): Explanation {
  const more = { ...(approved && { approved }), ...(only && { only }), ...(limited && { limited }) };
  return { outcome, scopes, waiting, texts, reasons, ...more };
}

async function explainClient(
  options: ExplainOptions,
  site: Site,
  question: Extract<ExplainQuestion, { readonly clientId: string }>,
  member: Member | undefined,
): Promise<Explanation> {
  const { catalogue, allowance, personDecision, serviceAllowance, serviceDecision } = options;
  const { clientId } = question;
  const found = await options.storedClient(site, clientId);
  if (!found) return explained(impossible(noClient));
  const { metadata, approved, isRejected } = found;
  const client = clientInfo(metadata);
  const isService = client.audience === 'service';
  const useless = isService && member ? forNobody : notForPeople(metadata);
  if (useless) return explained(impossible(useless));
  const asked = question.scopes ?? scopesOf(metadata, catalogue, client.audience);
  const shared = { site, requested: asked, purpose: 'explain' } as const;
  if (isService) {
    const allowed = await serviceAllowance(site, metadata, undefined);
    const decision = await serviceDecision({ ...shared, client: metadata, allowed });
    return explained(await dated(options, site, { clientId }, client.app?.id, decision), { approved });
  }
  const allowed = isRejected
    ? refused('client_blocked', { refusedBy: 'school' })
    : await allowance({ ...clientUse(metadata), site, member });
  const decision = await personDecision({ ...shared, member, metadata, allowed });
  const app = client.app?.id ?? options.rules.appIdOf(clientId);
  if (isRejected) return explained(await dated(options, site, { clientId }, app, decision));
  const grant = member && (await options.store.find(site.id, 'Grant', grantIdOf(member.id, clientId)));
  const given = grant ? asGranted(options, decision, allowed, grant.record) : decision;
  const { limited } = allowed;
  const only = grant?.record.only;
  return explained(await dated(options, site, { clientId }, app, given), { approved, only, limited });
}

/** What a connection that exists has of it. */
function asGranted({ rules }: ExplainOptions, decision: Decision, allowed: Allowed, grant: GrantRecord): Decision {
  const gone = undeclaredIn(rules.sources.boundaries, grant.only);
  if (gone === undefined) return withoutUnlimited(decision, allowed, grant);
  const reason: DecisionReason = {
    code: 'boundary_removed',
    text: `the person has limited the connection by ${gone}, which is not in the option boundaries: it gives nothing`,
    from: 'platform',
    change: 'the platform declares the type again, or the person disconnects the client and connects it again',
  };
  return { ...decision, scopes: [], reasons: [...decision.reasons, reason] };
}

/** Without what the person has granted, and what a rule gives only with a limit. */
function withoutUnlimited(
  decision: Decision,
  { countsWith, limited = [], limitedBy }: Allowed,
  grant: GrantRecord,
): Decision {
  const granted = splitScope(grant.scope);
  const counts = countsWith(grant.only);
  const lost = decision.scopes.filter((scope) => granted.includes(scope) && !counts(scope));
  if (lost.length === 0) return decision;
  const reason: DecisionReason = {
    code: 'limit',
    text: `a rule demands a limit (${limited.join(', ')}), and the person has allowed ${lost.join(' ')} without one`,
    from: limitedBy ?? 'platform',
    change: 'the person chooses what it counts for, on the page of their connected apps or when the client asks again',
  };
  const scopes = decision.scopes.filter((scope) => !lost.includes(scope));
  return { ...decision, scopes, reasons: [...decision.reasons, reason] };
}

function scopesOf({ scope }: ClientMetadata, catalogue: ScopeCatalogue, audience: ClientAudience): readonly Scope[] {
  return scope === undefined ? catalogue.of(audience) : splitScope(scope);
}

/** Why nobody can connect a client, whatever it asks for. */
function notForPeople(client: ClientMetadata): DecisionReason | undefined {
  const { grant_types: grants } = client;
  if (!Array.isArray(grants) || grants.length > 0) return undefined;
  return {
    code: 'unauthorized_client',
    text: 'the client only introspects tokens, and gets none',
    from: 'platform',
    change: 'another client is used',
  };
}

const forNobody: DecisionReason = {
  code: 'no_access',
  text: 'the client is a service: no person connects it',
  from: 'platform',
  change: 'ask without the person',
};

async function explainApp(
  options: ExplainOptions,
  site: Site,
  { app, scopes }: Extract<ExplainQuestion, { readonly app: string }>,
  member: Member | undefined,
): Promise<Explanation> {
  const ruled = { id: app, verified: true };
  const school = await options.rules.schoolRule(site.id, { app: ruled });
  const unknown = school ? undefined : await options.rules.apps.unknown(site.id, app);
  if (unknown) return explained(impossible(noApp(unknown)));
  // Whether it will act for an operator is up to the client.
  const person = member && { member, access: options.access(member, 'member'), personDecided: options.personDecided };
  const decision = await decideByRules(options.rules.sources, { site, app: ruled, school, person, scopes });
  const { limited } = decision.rule;
  return explained(await dated(options, site, { app }, app, decision), { limited });
}

/** With when, by whom and why the school has decided so: by the client's decision, otherwise by that on its app. */
async function dated(
  { store }: ExplainOptions,
  site: Site,
  target: AppTarget,
  app: string | undefined,
  decision: Decision,
): Promise<Decision> {
  if (!decision.reasons.some(({ from }) => from === 'school')) return decision;
  const targets = [target, ...(app === undefined ? [] : [{ app }])];
  const found = await Promise.all(targets.map((each) => store.find(site.id, 'AppRule', ruleId(each))));
  // One that only approves a version leaves the rule to the app.
  const rule = (found.find((each) => each && ruleOf(each.record)) ?? found.find((each) => each !== undefined))?.record;
  if (!rule) return decision;
  const { access, ask } = ruleOf(rule) ?? noRule;
  // A metadata document waits without a rule as well.
  const isByRule = ({ from, code }: DecisionReason): boolean =>
    from === 'school' && (code !== 'needs_approval' || access === 'view_only' || ask === true);
  const { at, by, reason: note } = rule;
  const made = { since: at, ...(by !== undefined && { by }), ...(note !== undefined && { note }) };
  const reasons = decision.reasons.map((reason) => (isByRule(reason) ? { ...reason, ...made } : reason));
  return { ...decision, reasons };
}
