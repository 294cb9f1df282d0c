import { added } from '../kernel/added.ts';
import * as z from 'zod';
import type { Lifetimes, Limits } from '../core/limits/limits.ts';
import type { CampusHooks, Hook } from '../hooks/hook.ts';
import type { HostClaims } from '../host/host-claims.ts';
import type { AppIdentity } from '../core/access/app.ts';
import { accessPolicyField } from '../core/access/ask-policies.ts';
import type { AccessPolicy } from '../core/access/policy.ts';
import type { McpPlugin, MemberApiPlugin } from '../plugin-contract/plugin.ts';
import type { Fixed, Member, PersonOf, SchoolOf, SchoolPlatform, Site } from '../host/school-platform.ts';
import type { DeclaredBoundary } from '../core/boundaries/boundary.ts';
import type { ClientPolicy, StaticClient } from '../core/clients/client.ts';
import type { ResourceServer } from '../core/clients/resource-server.ts';
import type { OnFault } from '../observe/events.ts';
import { type LimitedFeature, lifetimesSchema, limitsSchema, perSite } from '../core/limits/limit-defaults.ts';
import { fixedTexts, type FixedTexts, type WordedFeature } from '../i18n/texts.ts';
import { type Store, storeMethods } from '../records/store.ts';
import type { KnownClients } from '../core/clients/client-finder.ts';
import type { Telemetry } from '../observe/telemetry.ts';
import type { OptionalAuthentication } from '../core/enabled/client-authentication.ts';
import type { CampusKeys, KeySite, SiteKeys } from '../core/keys/keys.ts';
import {
  type KnownToClients,
  knownToClients,
  type Enabled,
  enabledBy,
  type ClientFeature,
} from '../core/enabled/enabled.ts';
import type { NetworkExceptions } from '../core/outbound/network-exceptions.ts';
import {
  type AddedShape,
  func,
  group,
  instance,
  list,
  type Shape,
  methods,
  seconds,
  whole,
} from '../kernel/option-schemas.ts';
import type { ScopeCatalogue, StandardScope } from '../core/scopes/scopes.ts';
import { hostNames } from '../i18n/translations.ts';
import { isObject, readOptions } from '../kernel/validate.ts';
import { allClients, clientsSchema } from './clients.ts';
import type { OptionalGrant } from '../core/enabled/grant-option.ts';
import { clientAuthenticationSchema, grantsSchema } from '../core/enabled/options.ts';
import { checkResourceServers, resourceServersSchema } from './resource-servers.ts';
import { adminRolesSchema, operatorRolesSchema, platformSchema } from './instances.ts';
import { keysOptionSchema } from '../core/keys/options.ts';
import { checkScopeTexts, type PagesOptions, pagesSchema } from '../pages/kit/options.ts';
import { campusScopes, type ScopeOptions, scopesSchema } from './scopes.ts';

/** Options of features, each with its own (`declare module`). */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface, eslint/no-unused-vars
export interface FeatureOptions<School extends Site, Person extends Member> {}

/** The same as they are read. @internal */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface FeatureSettings {}

/** The host's policies in options of features, checked: each feature adds its own (`declare module`). @internal */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface FeaturePolicies {}

/**
 * Options of `createCampus`, which infers the types: `School` and `Person` from the functions of `platform`, `Own` from `scopes.own` and
 * `Asked` from `clients[].scopes`.
 */
export interface CampusOptions<
  School extends Site = Site,
  Person extends Member = Member,
  Own extends string = string,
  Asked extends string = string,
> extends FeatureOptions<SchoolOf<School>, PersonOf<Person>> {
  /** Your platform: functions that find schools and people, and know who is signed in. */
  readonly platform: SchoolPlatform<School, Person>;
  /** The store for all data. */
  readonly store: Store;
  /**
   * The keys, or a function that returns the current ones. campus-oidc calls it at startup and then at most every 10 seconds, so you can
   * rotate keys without a restart. If it fails, you get a fault, and the last keys stay in use.
   */
  readonly keys: CampusKeys | (() => CampusKeys);
  /**
   * Returns the signing keys of one school, or `undefined` for the keys in `keys`. It is called as often as `keys`. @default the keys in
   * `keys` for every school
   */
  readonly siteKeys?: ((site: KeySite) => SiteKeys | null | undefined) | undefined;
  /** Clients that the platform runs, or whose owner it knows. @default [] */
  readonly clients?: readonly StaticClient<AllowedScope<Own, Asked>>[] | undefined;
  /** APIs and gateways that introspect access tokens: `docs/guides/resource-servers.md`. @default [] */
  readonly resourceServers?: readonly ResourceServer[] | undefined;
  /** The available scopes: `docs/guides/scopes-and-claims.md`. @default the scopes of `scopeCatalogue` */
  readonly scopes?: ScopeOptions<Own> | undefined;
  /** Policies of the platform that decide who may connect which app. Schools can add rules. The strictest rule applies. @default [] */
  readonly access?: readonly AccessPolicy<SchoolOf<School>, PersonOf<Person>>[] | undefined;
  /** Returns your own claims for UserInfo and the ID token, in addition to the standard claims. Specification: Tokens 3. @default none */
  readonly claims?: HostClaims<SchoolOf<School>, PersonOf<Person>> | undefined;
  /**
   * Lifetimes, for every school or as a function of the school that returns `undefined` for the defaults. The function is called once for
   * each `Site` that `findSite` returns. A change takes effect after `siteCache`, for everything that is issued later.
   */
  readonly lifetimes?:
    Partial<Lifetimes> | ((site: SchoolOf<School>) => Partial<Lifetimes> | null | undefined) | undefined;
  /** Grant types of `campus-oidc/grants`, in addition to `authorization_code` and `refresh_token`. @default [] */
  readonly grants?: readonly OptionalGrant[] | undefined;
  /** The methods by which confidential clients may authenticate, in addition to `client_secret_post`. @default [] */
  readonly clientAuthentication?: readonly OptionalAuthentication[] | undefined;
  /** The Member API: `memberApi(…)` of `campus-oidc/member-api`. Without it, `/member/graphql` does not exist. @default none */
  readonly memberApi?: MemberApiPlugin<SchoolOf<School>, PersonOf<Person>> | undefined;
  /** The tool endpoint: `mcp(…)` of `campus-oidc/mcp`. Without it, `/mcp` does not exist. @default none */
  readonly mcp?: McpPlugin<SchoolOf<School>, PersonOf<Person>> | undefined;
  /** Rate limits, in requests per hour, for every school or as a function of the school. `false` removes all rate limits. */
  readonly limits?:
    Partial<Limits> | false | ((site: SchoolOf<School>) => Partial<Limits> | false | null | undefined) | undefined;
  /**
   * How many seconds to cache results of `platform.findSite`, including "not found". A change of a school takes effect after this time.
   * With 0, only simultaneous requests share a call. @default 5
   */
  readonly siteCache?: number | undefined;
  /** Functions that are called after an event, for example to send an e-mail: `docs/guides/notify-people.md`. */
  readonly hooks?: CampusHooks<SchoolOf<School>, PersonOf<Person>> | undefined;
  /** Traces and metrics: `openTelemetry()` of `campus-oidc/opentelemetry`. @default none */
  readonly telemetry?: Telemetry | undefined;
  /** The HTML pages: their paths, texts and design. */
  readonly pages?: PagesOptions<SchoolOf<School>, PersonOf<Person>> | undefined;
}

/**
 * The scopes that `clients[].scopes` may contain, if the names are literals in code. A client whose scopes are of the type `string`, such
 * as a `StaticClient`, is only checked at startup.
 */
export type AllowedScope<Own extends string, Asked extends string> = string extends Asked
  ? Asked
  : StandardScope | Fixed<Own>;

/** The options as read once: checked, completed and frozen. @internal */
export interface Settings
  extends FeatureSettings, Omit<z.infer<ReturnType<typeof campusSchema>>, 'scopes' | keyof FeatureSettings> {
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
  readonly fixedTexts: FixedTexts;
  /** What people can limit a client to. */
  readonly boundaryTypes: readonly DeclaredBoundary[];
  /** The names of the host's claims that have a text on the consent page. */
  readonly claimTexts: readonly string[];
  readonly operatorRoles: ReadonlySet<string>;
  readonly adminRoles: ReadonlySet<string>;
  /** How many schools have an engine in memory: those that were used last. */
  readonly engines: number;
  /** Exceptions from the network rules for metadata documents, of `createTestCampus`. */
  readonly testing?: NetworkExceptions | undefined;
}

function isPlugin(value: unknown): boolean {
  return isObject(value) && typeof value['mount'] === 'function';
}

function plugin<P extends object>(name: string, module: string) {
  return z.custom<P>(isPlugin, `be what ${name}() of ${module} returns`).meta({ type: 'plug-in' }).optional();
}

const storeMembers = {
  ...methods(storeMethods),
  deadline: seconds(600).optional(),
  sweep: func().optional(),
  observe: func().optional(),
  diagnose: func().optional(),
  writeLog: func().optional(),
  readLog: func().optional(),
};

const telemetryMethods = methods(['request', 'call', 'client', 'tokens', 'engines']);

const hook = func<Hook>().meta({ type: '`Hook`' }).optional();

const hooksSchema: z.ZodType<CampusHooks> = group({
  connected: hook,
  disconnected: hook,
  requested: hook,
  reviewed: hook,
} satisfies Shape<CampusHooks>).prefault({});

/** What the options are made from: what features add to them. @internal */
export interface OptionFeature extends ClientFeature, LimitedFeature, WordedFeature {
  /** Schemas of its options. */
  readonly options?: Partial<AddedShape<FeatureSettings>>;
  /** @throws TypeError for what only the catalogue of scopes shows */
  readonly check?: (settings: FeatureSettings, catalogue: ScopeCatalogue) => void;
  /** What people can limit a client to. */
  readonly boundaryTypes?: (settings: FeatureSettings) => readonly DeclaredBoundary[];
  /** Its policies that may know clients in advance. */
  readonly clientPolicies?: (settings: FeatureSettings) => readonly ClientPolicy[];
  /** Its policies: what they return is checked, and their failures are reported as faults. */
  readonly policies?: (settings: Settings, onFault: OnFault) => Partial<FeaturePolicies>;
  /** The known apps that its policies let in, each as the client that it becomes. */
  readonly waysIn?: (policies: FeaturePolicies) => readonly AppIdentity[];
  /** What they know of clients by their ids alone. */
  readonly knownClients?: (policies: FeaturePolicies, catalogue: ScopeCatalogue) => KnownClients;
}

/** What is the same whatever the host chooses. */
interface Known {
  readonly known: KnownToClients;
  readonly limits: z.ZodType<Limits | false>;
  readonly texts: FixedTexts;
  readonly options: AddedShape<FeatureSettings>;
}

/** @internal */
export function knownOf(features: readonly OptionFeature[]): Known {
  return {
    known: knownToClients(features),
    limits: limitsSchema(features),
    texts: fixedTexts(features),
    options: added<AddedShape<FeatureSettings>>(features.map(({ options }) => options)),
  };
}

/** @internal */
export function campusSchema({ known, limits, texts, options }: Known) {
  return group({
    platform: platformSchema,
    store: instance<Store>(storeMembers, 'be a store, for example memoryStore()').meta({ type: '`Store`' }),
    keys: keysOptionSchema,
    siteKeys: func<NonNullable<CampusOptions['siteKeys']>>().optional(),
    clients: clientsSchema(known).prefault([]),
    resourceServers: resourceServersSchema.prefault([]),
    scopes: scopesSchema,
    access: list(accessPolicyField, 'be an array of policies').prefault([]),
    claims: func<HostClaims>().optional(),
    lifetimes: perSite(lifetimesSchema, 'be an object, or a function of the school'),
    ...options,
    grants: grantsSchema(known).prefault([]),
    clientAuthentication: clientAuthenticationSchema(known).prefault([]),
    memberApi: plugin<MemberApiPlugin>('memberApi', 'campus-oidc/member-api'),
    mcp: plugin<McpPlugin>('mcp', 'campus-oidc/mcp'),
    limits: perSite(limits, 'be an object, false, or a function of the school'),
    siteCache: whole('whole number of seconds', 0, 3600).default(5),
    hooks: hooksSchema,
    telemetry: instance<Telemetry>(telemetryMethods, 'be what openTelemetry() of campus-oidc/opentelemetry returns')
      .meta({ type: '`Telemetry`' })
      .optional(),
    pages: pagesSchema(texts),
  } satisfies Shape<CampusOptions>);
}

/** The schemas are the only place that knows a default. @throws TypeError that names the wrong option by its path @internal */
export function resolveOptions(options: CampusOptions, features: readonly OptionFeature[]): Settings {
  const all = knownOf(features);
  const { known } = all;
  const given = readOptions(campusSchema(all), options, '');
  const { platform, scopes, resourceServers } = given;
  const catalogue = campusScopes(scopes, given.pages.texts['en']);
  checkScopeTexts(all.texts, given.pages.texts, catalogue);
  for (const { check } of features) check?.(given, catalogue);
  const enabled = enabledBy(known, {
    grants: given.grants,
    methods: given.clientAuthentication,
    resourceServers,
    options: Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : name)),
  });
  const boundaryTypes = Object.freeze(features.flatMap((feature) => feature.boundaryTypes?.(given) ?? []));
  const clients = allClients(
    given.clients,
    features.flatMap(({ clientPolicies }) => clientPolicies?.(given) ?? []),
    catalogue,
    enabled,
  );
  checkResourceServers(resourceServers, clients, boundaryTypes);
  const operatorRoles = new Set(readOptions(operatorRolesSchema, platform.operatorRoles, 'platform.operatorRoles'));
  const adminRoles = readOptions(adminRolesSchema, platform.adminRoles, 'platform.adminRoles');
  return Object.freeze({
    ...given,
    engines: 1000,
    catalogue,
    enabled,
    fixedTexts: all.texts,
    claimTexts: Object.freeze(hostNames(given.pages.texts).claims),
    operatorRoles,
    adminRoles: adminRoles ? new Set(adminRoles) : operatorRoles,
    clients,
    boundaryTypes,
  });
}
