import { type Only, undeclaredIn } from '../boundaries/boundary.ts';
import { clientInfo } from '../clients/client-metadata.ts';
import type { HostPlatform } from '../../host/checked-platform.ts';
import { profileOf } from '../../host/member-profile.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { type ClientMetadata, grantIdOf, type GrantRecord } from '../../records/codec.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { type Scope, type ScopeCatalogue, splitScope } from '../scopes/scopes.ts';
import { ruledId, wayOf, type WayIn } from './app.ts';
import type { RoleRegister } from './operator-and-admin-roles.ts';
import type { Approval } from './version-approvals.ts';
import type { AppTarget } from './app-rule.ts';
import { listedPermission } from './listed-permission.ts';
import type { Permit } from './look-ups.ts';
import { type Asked, type PermissionOutcome, outcomeOf, type Permission, type Taken, textsFor } from './permission.ts';
import type { Decider } from './rule.ts';
import { ruleId, ruleOf } from './school-rules.ts';
import type { AppRuleFinders } from './rule-finders.ts';
import { noRule, textIn } from './rule.ts';
import type { PermitService } from './service-permission.ts';
import { clientUse } from './used-client.ts';
import type { NoSuchApp } from './school-apps.ts';
import type { StoredClientFinder } from './stored-client.ts';
import type { AllowedPersonFinder } from './allowed-people.ts';
import type { ClientAudience } from '../clients/client.ts';

/** A restriction by one step of a permission, or the reason for a refusal. */
export interface PermissionReason {
  /** A stable code: a `reason` of `authorization.refused`, or `no_member`. */
  readonly code: string;
  /** A sentence for support. */
  readonly text: string;
  /** The source of the decision. */
  readonly from: Decider;
  /** The policy of the platform that returned the rule, by its place and name: `access[1] reviewedOnly`. @default none */
  readonly policy?: string | undefined;
  /** The time of the decision, in seconds since the epoch. @default not a stored decision */
  readonly since?: number | undefined;
  /** The id of the member who decided. @default unknown, or not a stored decision */
  readonly by?: string | undefined;
  /** The note of that member. @default nothing */
  readonly note?: string | undefined;
  /** The change that would help. */
  readonly change: string;
}

/** A question to `campus.explain`, about a client, or about an app however it becomes a client. */
export type ExplainQuestion = AppTarget & {
  /** The person. @default no person: roles are ignored, and policies answer for a stranger */
  readonly memberId?: string | undefined;
  /** Their e-mail address instead of the id, if the platform has `searchMembers`. */
  readonly email?: string | undefined;
  /** The requested scopes. @default all that the client may request */
  readonly scopes?: readonly Scope[] | undefined;
};

/** The permission of a person for a client or app, with reasons. */
export interface Explanation {
  readonly outcome: PermissionOutcome;
  /** The scopes that can be given now. */
  readonly scopes: readonly Scope[];
  /** The scopes that need an administrator's approval. */
  readonly waiting: readonly Scope[];
  /** The texts of policies for the person. */
  readonly texts: readonly string[];
  /** The person's limits for the client: ids by the type of boundary. @default no limit, or no connection */
  readonly only?: Only | undefined;
  /** The types of boundary for which a rule requires a limit. @default none */
  readonly limited?: readonly string[] | undefined;
  /** The approval of this version of the client. @default not approved */
  readonly approved?: Approval | undefined;
  /** The reasons, in the order of the checks. Empty if all requested scopes are allowed. */
  readonly reasons: readonly PermissionReason[];
}

/**
 * The decision about a client or an app at a school, and its reasons. Nothing is fetched and nothing is written: a metadata document
 * is taken as it was fetched last.
 *
 * @throws TemporarilyUnavailable if the store or the platform fails: that is not a decision
 */
export type Explain = (site: Site, question: ExplainQuestion) => Promise<Explanation>;

export interface ExplainOptions {
  readonly isPersonAllowed: AllowedPersonFinder;
  readonly catalogue: ScopeCatalogue;
  readonly platform: HostPlatform;
  readonly store: RecordStore;
  readonly storedClient: StoredClientFinder;
  readonly rules: AppRuleFinders;
  readonly permit: Permit;
  readonly permitService: PermitService;
  readonly rights: RoleRegister;
}

export function createExplain(options: ExplainOptions): Explain {
  return async (site, question) => {
    const { scopes = [], email } = question;
    const unknown = scopes.find((scope) => !options.catalogue.has(scope));
    if (unknown !== undefined) throw new InvalidRequest(`scopes must be among campus.scopes, not ${unknown}`);
    const memberId = email === undefined ? question.memberId : await idOf(options.platform, site, email);
    if (email !== undefined && memberId === undefined) return impossible(noAddress);
    const member = memberId === undefined ? undefined : await options.platform.findMember(site, memberId);
    if (memberId !== undefined && !member) return impossible(noMember);
    return 'app' in question
      ? explainApp(options, site, question, member)
      : explainClient(options, site, question, member);
  };
}

const noMember: PermissionReason = {
  code: 'no_member',
  text: 'platform.findMember does not return this person at this school',
  from: 'platform',
  change: 'ask with the id that the platform uses for the person',
};

const noAddress: PermissionReason = {
  ...noMember,
  text: 'platform.searchMembers does not return a member with this address at this school',
};

/**
 * The one person with this address, in whatever case; nothing if there is none.
 *
 * @throws InvalidRequest if there are several, or the platform cannot look them up
 */
async function idOf({ searchMembers }: HostPlatform, site: Site, email: string): Promise<string | undefined> {
  if (!searchMembers) throw new InvalidRequest('email needs platform.searchMembers; pass memberId instead');
  const wanted = email.toLowerCase();
  const found = (await searchMembers(site, email)).filter((each) => profileOf(each).email?.toLowerCase() === wanted);
  if (found.length > 1)
    throw new InvalidRequest(`email must belong to one person, not ${found.length}; pass memberId instead`);
  return found[0]?.id;
}

function noApp({ message }: NoSuchApp): PermissionReason {
  return {
    code: 'unknown_client',
    text: 'no app with this id is known, and the school has no rule for it',
    from: 'platform',
    change: `ask with another id: ${message}`,
  };
}

const noClient: PermissionReason = {
  code: 'unknown_client',
  text: 'the school has no client with this client_id',
  from: 'school',
  change: 'the app registers again, or its settings get the client_id of an application of the school',
};

function impossible(reason: PermissionReason): Explanation {
  return { outcome: 'impossible', scopes: [], waiting: [], texts: [], reasons: [reason] };
}

interface Found extends Pick<Explanation, 'outcome' | 'reasons' | 'approved' | 'only' | 'limited'> {
  readonly permission: Permission;
}

function explained({ permission, outcome, reasons, approved, only, limited }: Found): Explanation {
  return {
    outcome,
    scopes: permission.scopes,
    waiting: permission.waiting,
    texts: [...new Set(textsFor(permission).map((text) => textIn([], text)))],
    reasons,
    ...(approved && { approved }),
    ...(only && { only }),
    ...(limited && limited.length > 0 && { limited }),
  };
}

function reasonOf({ code, text, from, policy, change }: Taken): PermissionReason {
  return { code, text, from, ...(policy !== undefined && { policy }), change };
}

async function explainClient(
  options: ExplainOptions,
  site: Site,
  question: Extract<ExplainQuestion, { readonly clientId: string }>,
  member: Member | undefined,
): Promise<Explanation> {
  const { catalogue, permit, permitService } = options;
  const { clientId } = question;
  const found = await options.storedClient(site, clientId);
  if (!found) return impossible(noClient);
  const { metadata, approved } = found;
  const client = clientInfo(metadata);
  const isService = client.audience === 'service';
  const useless = isService && member ? forNobody : notForPeople(metadata);
  if (useless) return impossible(useless);
  const requested = question.scopes ?? scopesOf(metadata, catalogue, client.audience);
  const asked = { site, scopes: requested, at: 'connect', allReasons: true } as const;
  const app = client.app?.id ?? options.rules.appIdOf(clientId);
  const dates = (permission: Permission): Promise<readonly PermissionReason[]> =>
    dated(options, site, { clientId }, app, permission.taken.map(reasonOf));
  if (isService) {
    const { permission } = await permitService({ ...asked, client: metadata });
    const outcome = outcomeOf(permission, requested, catalogue);
    return explained({ permission, outcome, reasons: await dates(permission), approved });
  }
  const parties = { ...asked, client: clientUse(metadata), member, asStranger: true };
  const permission = await permit(parties);
  // Without a connection, the limits of it are no loss.
  const outcome = outcomeOf(permission, requested, catalogue);
  if (permission.refused) return explained({ permission, outcome, reasons: await dates(permission) });
  const grant = member && (await options.store.find(site.id, 'Grant', grantIdOf(member.id, clientId)))?.record;
  const given = grant ? await asGranted(options, parties, permission, grant) : permission;
  const limits = { only: grant?.only, limited: permission.rule.limited };
  return explained({ permission: given, outcome, reasons: await dates(given), approved, ...limits });
}

/** What a connection that exists has of it. */
async function asGranted(
  { rules, permit }: ExplainOptions,
  asked: Asked,
  permission: Permission,
  { scope, only }: GrantRecord,
): Promise<Permission> {
  const gone = undeclaredIn(rules.sources.boundaries, only);
  if (gone !== undefined) return { ...permission, scopes: [], taken: [...permission.taken, boundaryRemoved(gone)] };
  const granted = splitScope(scope).filter((each) => permission.scopes.includes(each));
  const { scopes: counting, taken } = await permit({ ...asked, scopes: granted, chosen: { only } });
  const lost = granted.filter((each) => !counting.includes(each));
  if (lost.length === 0) return permission;
  const scopes = permission.scopes.filter((each) => !lost.includes(each));
  return { ...permission, scopes, taken: [...permission.taken, ...taken.filter(({ code }) => code === 'limit')] };
}

const boundaryRemoved = (gone: string): Taken => ({
  step: 'demandedLimitsAreChosen',
  code: 'boundary_removed',
  from: 'platform',
  scopes: 'all',
  text: `the person has limited the connection by ${gone}, which is not in the option boundaries, so the connection gives no access`,
  change: 'the platform declares the type again, or the person disconnects the client and connects it again',
});

function scopesOf({ scope }: ClientMetadata, catalogue: ScopeCatalogue, audience: ClientAudience): readonly Scope[] {
  return scope === undefined ? catalogue.of(audience) : splitScope(scope);
}

/** Why nobody can connect a client, whatever it asks for. */
function notForPeople(client: ClientMetadata): PermissionReason | undefined {
  const { grant_types: grants } = client;
  if (!Array.isArray(grants) || grants.length > 0) return undefined;
  return {
    code: 'unauthorized_client',
    text: 'the scopes of the client do not exist here, or its grant type is off',
    from: 'platform',
    change: 'the platform adds them to its options, or another client is used',
  };
}

const forNobody: PermissionReason = {
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
  const { rules, rights, isPersonAllowed } = options;
  const { rule: school } = await rules.schoolRule(site.id, { app });
  const unknown = school ? undefined : await rules.apps.unknown(site.id, app);
  if (unknown) return impossible(noApp(unknown));
  const all = [...rules.waysOf(app), ...(await createdWays(options, site, app))];
  const ways = member ? all.filter(({ audience }) => audience !== 'service') : all;
  if (ways.length < all.length && ways.length === 0) return impossible(forNobody);
  const person = member && { member, rights, isPersonAllowed };
  const question = { site, ways, app, school, person, scopes, allReasons: true };
  const permission = await listedPermission(rules.sources, question);
  const reasons = await dated(options, site, { app }, app, permission.taken.map(reasonOf));
  return explained({ permission, outcome: permission.outcome, reasons, limited: permission.rule.limited });
}

/** The applications of the school that are the app. */
async function createdWays({ store }: ExplainOptions, { id }: Site, app: string): Promise<readonly WayIn[]> {
  return (await store.list(id, 'Client')).map(wayOf).filter(({ identity }) => ruledId(identity) === app);
}

/** With when, by whom and why the school has decided so: by the client's decision, otherwise by that on its app. */
async function dated(
  { store }: ExplainOptions,
  site: Site,
  target: AppTarget,
  app: string | undefined,
  reasons: readonly PermissionReason[],
): Promise<readonly PermissionReason[]> {
  if (!reasons.some(({ from }) => from === 'school')) return reasons;
  const targets = [target, ...(app === undefined ? [] : [{ app }])];
  const found = await Promise.all(targets.map((each) => store.find(site.id, 'AppRule', ruleId(each))));
  // One that only approves a version leaves the rule to the app.
  const rule = (found.find((each) => each && ruleOf(each.record)) ?? found.find((each) => each !== undefined))?.record;
  if (!rule) return reasons;
  const { access, ask } = ruleOf(rule) ?? noRule;
  // A metadata document waits without a rule as well.
  const isByRule = ({ from, code }: PermissionReason): boolean =>
    from === 'school' && (code !== 'needs_approval' || access === 'view_only' || ask === true);
  const { at, by, note } = rule;
  const made = { since: at, ...(by !== undefined && { by }), ...(note !== undefined && { note }) };
  return reasons.map((reason) => (isByRule(reason) ? { ...reason, ...made } : reason));
}
