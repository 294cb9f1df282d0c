import type { ClientAudience, StaticClient } from '../clients/client.ts';
import type { DocumentScopes } from '../clients/client-source.ts';
import type { Member, Service, Site } from '../../host/school-platform.ts';
import type { Only } from '../boundaries/boundary.ts';
import { appKey } from './grantees.ts';
import type { Decider, RuledApp } from './app-rule.ts';
import type { AppRule } from '../clients/client-status.ts';
import type { RecordOf } from '../../records/record.ts';
import { isMetadataDocumentId } from '../clients/client-id.ts';
import { documentSector, isPairwise as isPairwiseClient, sectorOf } from '../clients/subjects.ts';
import { splitScope } from '../scopes/scopes.ts';
import { type ClientMetadata, members, optional, text } from '../../records/codec.ts';
import { digest } from '../../kernel/crypto.ts';
import { audienceOf } from '../clients/client-metadata.ts';
import {
  choosable,
  missesLimit,
  noRule,
  type Pairwise,
  type Removal,
  removedByRule,
  type RuleDecisionSources,
  type SchoolRuleFinder,
} from './app-rules.ts';
import type { PersonDecisionFinder } from './person-decisions.ts';
import { ruleForPerson } from './rule-for-person.ts';

/** A client in use, as far as an access token or its metadata tell. */
export interface UsedClient {
  readonly clientId: string;
  readonly audience: ClientAudience;
  /** Whether it is configured in code, or was when its token was issued. */
  readonly isStatic: boolean;
  /** The scopes of its metadata, which an access token does not tell. @default all for its audience */
  readonly scope?: string | undefined;
  /** @default the one that its id tells */
  readonly app?: RuledApp | undefined;
  /** The app for which it counts, as each installation does that registers itself under the name of an app. @default it counts alone */
  readonly appKey?: string | undefined;
  /** Clients of one sector have the same pseudonym for a person. @default not known */
  readonly sector?: (() => string) | undefined;
  /** Whether it knows people by pseudonyms, whatever the rules say; `chosen`: its scopes are those that the school chose for it. @default no */
  readonly pairwise?: Pairwise | undefined;
  /** What an approval is bound to, unless it is a metadata document. @default any version */
  readonly digest?: (() => string) | undefined;
  /** What the platform says of a service. @default it is not one */
  readonly service?: Service | undefined;
}

/** The token with which a client is used. */
export interface TokenUse extends UsedClient {
  /**
   * An access token, with what it has of the school's rule: nothing is looked up, since a rule that takes something away ends
   * all tokens of its clients. @default the rule is looked up
   */
  readonly token?: UsedToken | undefined;
}

/** The use of a client at a school. */
export interface ClientUse extends TokenUse {
  readonly site: Site;
  /** The person; `undefined` until it is known who that is. */
  readonly member: Member | undefined;
  /** The school's rule, if it is being looked up already. */
  readonly rule?: Promise<AppRule | undefined> | undefined;
}

interface UsedToken {
  readonly roles?: readonly string[] | undefined;
  /** The pseudonym that it has for the person. @default their id */
  readonly sub?: string | undefined;
  /** What it is limited to. @default nothing */
  readonly only?: Only | undefined;
}

export function clientUse(client: ClientMetadata): UsedClient;
export function clientUse(client: ClientMetadata | undefined): UsedClient | undefined;
export function clientUse(client: ClientMetadata | undefined): UsedClient | undefined {
  if (!client) return undefined;
  const { client_id: clientId, campus_source: source, scope } = client;
  const app = usedApp(optional(client, 'campus_app', members));
  const version = (): string => clientDigest(client);
  const pairwise = isPairwiseClient(client) ? (source === 'application' ? 'chosen' : 'given') : undefined;
  return {
    clientId,
    audience: audienceOf(client),
    isStatic: source === undefined,
    scope,
    app,
    appKey: source === 'registered' && app ? appKey(app) : undefined,
    digest: version,
    sector: () => sectorOf(client),
    pairwise,
  };
}

export function tokenUse(token: RecordOf<'AccessToken'>): TokenUse {
  const { clientId, audience, isStatic, app, roles, sub, only } = token;
  return { clientId, audience, isStatic, app: usedApp(app), token: { roles, sub, only } };
}

/** The app of a client's metadata, or of its token. */
export function usedApp(app: Readonly<Record<string, unknown>> | undefined): RuledApp | undefined {
  const { id, verified } = app ?? {};
  return typeof id === 'string' ? { id, verified: verified === true } : undefined;
}

/** The id of the app of a client whose id alone tells it. */
export type AppIds = (clientId: string) => string | undefined;

function appIn({ app, clientId }: UsedClient, appIdOf: AppIds): RuledApp | undefined {
  const id = app ? undefined : appIdOf(clientId);
  return id === undefined ? app : { id, verified: true };
}

export type RuleFinder = (siteId: string, client: UsedClient) => Promise<AppRule | undefined>;

export function ruleFinder(schoolRule: SchoolRuleFinder, appIdOf: AppIds): RuleFinder {
  return (siteId, client) => schoolRule(siteId, { clientId: client.clientId, app: appIn(client, appIdOf) });
}

/** What an approval is bound to: that of a metadata document, otherwise that of what people see of the client. */
export function clientVersion(client: ClientMetadata): string {
  return optional(client, 'campus_digest', text) ?? clientDigest(client);
}

/** What an administrator approves of a client that is not a metadata document. */
export function clientDigest({ client_name: name, redirect_uris: uris = [] }: ClientMetadata): string {
  return digest(JSON.stringify([name, [...uris].sort()]));
}

/** The use of a client with a metadata document. It needs no look-up: the finder refuses a document that is no longer permitted, but its tokens still exist. */
export function documentUse(clientId: string): UsedClient {
  return { clientId, audience: 'operator', isStatic: false, sector: () => documentSector(clientId) };
}

/** Why a client may not be used, as audit events say it, and for the client's developer. */
export const refusals = {
  client_not_permitted: 'this school does not permit this application; ask an administrator of the school',
  client_blocked: 'this school has blocked the client; ask an administrator of the school',
  client_role: 'this school lets only people with certain roles connect the client; ask an administrator of the school',
  needs_approval: 'this school has not approved the client for this person; ask an administrator of the school',
  no_access: 'this service has no access at this school; ask an administrator of the school',
  secret_ended:
    'the secret with which this access token was requested is no longer valid; request one with the current secret',
} as const;

export type Refusal = keyof typeof refusals;

/** What is known of a rule that refuses. */
interface RefusingRule {
  /** Whose refusal it is. */
  readonly refusedBy?: Decider | undefined;
  /** The roles of which the person needs one. */
  readonly roles?: readonly string[] | undefined;
  /** What is demanded for the client and the platform does not have, if it is refused for that. */
  readonly missing?: 'pseudonyms' | undefined;
}

/** What a client may get at a school, for this person, now. */
export interface Allowed extends RefusingRule {
  /** Absent if it may be used. */
  readonly refusal?: Refusal | undefined;
  /** Whether a scope may be granted; for a token or a service, whether it counts. */
  readonly mayGrant: (scope: string) => boolean;
  /** Whether a scope that is granted with these limits counts: not if a rule demands a limit that is not among them. */
  readonly countsWith: (limits: Only | undefined) => (scope: string) => boolean;
  /** The types of boundary for which a rule demands a limit. @default none */
  readonly limited?: readonly string[] | undefined;
  /** Whose rule that is. @default there is none */
  readonly limitedBy?: Decider | undefined;
  /** The same, once an administrator has approved the client. */
  readonly approvable: (scope: string) => boolean;
  /** Whether the client knows the person by a pseudonym. @default false */
  readonly pseudonym?: boolean | undefined;
  /** Whether each person needs an approval, and it is not known who that is. @default false */
  readonly asks?: boolean | undefined;
  /** Whose rule takes a scope away. @default no rule */
  readonly removedBy?: ((scope: string) => Removal | undefined) | undefined;
}

/**
 * What a client may get at a school, for this person, now. No document is fetched. All that registers clients, and grants or
 * honours scopes asks here: registration, the consent page, the engine, verification and introspection.
 */
export type Allowance = (use: ClientUse) => Promise<Allowed>;

/** The scopes that an administrator has approved for a client; `undefined` if one has rejected it. */
export type ApprovedScopes = (siteId: string, client: ClientUse) => Promise<readonly string[] | undefined>;

export interface AllowanceOptions extends RuleDecisionSources {
  readonly personDecided: PersonDecisionFinder;
  readonly clients: readonly StaticClient[];
  /** @default no metadata document is a client */
  readonly documentScopes: DocumentScopes | undefined;
  readonly approvedScopes: ApprovedScopes;
  /** The id of the app of a client whose id alone tells it. */
  readonly appIdOf: AppIds;
  readonly ruleOf: RuleFinder;
}

type Refused = Allowed & { readonly refusal: Refusal };

const none = (): boolean => false;

export function refused(refusal: Refusal, rule: RefusingRule = {}): Refused {
  return { refusal, mayGrant: none, countsWith: () => none, approvable: none, ...rule };
}

/** A client that must use pseudonyms gets nothing at a school without them. */
export function refusedWithoutPseudonyms(school: AppRule | undefined): Refused {
  const refusedBy = school?.pseudonym === true ? 'school' : 'platform';
  return refused('client_not_permitted', { refusedBy, missing: 'pseudonyms' });
}

export function clientAllowance(options: AllowanceOptions): Allowance {
  const { clients, catalogue, boundaries, documentScopes, approvedScopes, appIdOf, ruleOf } = options;
  const sitesOf = new Map(clients.map(({ clientId, sites }) => [clientId, sites]));
  const pairwiseIds = new Set(clients.filter(({ subject }) => subject !== undefined).map(({ clientId }) => clientId));
  const isHere = (siteId: string, clientId: string): boolean =>
    sitesOf.has(clientId) && sitesOf.get(clientId)?.includes(siteId) !== false;

  return async (use) => {
    const { site, clientId, audience, isStatic, scope, member, service, token } = use;
    if (isStatic && !isHere(site.id, clientId)) return refused('client_not_permitted');
    const { rule, school, refusal, refusedBy, asks } = await ruleForPerson(options, {
      request: { site, app: appIn(use, appIdOf), client: { clientId, audience }, member },
      school: token ? { ...noRule, roles: token.roles } : await (use.rule ?? ruleOf(site.id, use)),
      service,
    });
    if (refusal) return refused(refusal, { refusedBy, roles: rule.roles });
    const { access, roles, limited = [] } = rule;
    const pairwise = use.pairwise ?? (isStatic && pairwiseIds.has(clientId) ? 'given' : undefined);
    const pseudonym = pairwise !== undefined || rule.pseudonym === true;
    // Never by their own name: not with a token from before, and not because a key is missing.
    if (pseudonym && (token ? token.sub === undefined : !options.hasPseudonyms))
      return refusedWithoutPseudonyms(school);
    const isDocument = isMetadataDocumentId(clientId);
    const own = scope === undefined ? undefined : splitScope(scope);
    const base = isDocument ? await documentScopes?.(site.id, clientId) : own;
    if (base === 'rejected') return refused('client_blocked', { refusedBy: 'school' });
    if (isDocument && !base) return refused('client_not_permitted');
    const approved = access === 'view_only' ? await approvedScopes(site.id, use) : undefined;
    if (access === 'view_only' && !approved) return refused('client_blocked', { refusedBy: 'school' });
    // Whom a page asks can choose what is demanded, if it is declared. A token has what was chosen, and nobody chooses for a service.
    const chosen = token ? token.only : service ? undefined : choosable(rule);
    const removedBy = removedByRule({
      rule,
      school,
      // A token has only what its client kept.
      pairwise: token ? undefined : pairwise,
      boundaries,
      chosen,
    });
    const leftByRules = (each: string): boolean => catalogue.mayHave(audience, each) && removedBy(each) === undefined;
    const inMetadata = (each: string): boolean => leftByRules(each) && base?.includes(each) !== false;
    const approvedToWrite = (each: string): boolean =>
      approved === undefined || approved.includes(each) || catalogue.row(each)?.access !== 'write';
    const mayGrant = (each: string): boolean => inMetadata(each) && approvedToWrite(each);
    return {
      mayGrant,
      countsWith: (limits) => (each) => mayGrant(each) && !missesLimit(boundaries, limited, limits, each),
      ...(limited.length > 0 && { limited, limitedBy: school?.limited ? 'school' : 'platform' }),
      approvable: isDocument ? leftByRules : inMetadata,
      ...(pseudonym && { pseudonym }),
      roles,
      asks,
      removedBy,
    };
  };
}
