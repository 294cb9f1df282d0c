import * as z from 'zod';
import type { HostClaims } from '../contracts/claims.ts';
import type { StaticClient } from '../contracts/client.ts';
import type { EngineCache, Lifetimes, Limits, SiteCache } from '../contracts/limits.ts';
import type { ConsentPolicy } from '../contracts/consent.ts';
import type { McpPlugin, MemberApiPlugin } from '../contracts/plugin.ts';
import type { SchoolPlatform } from '../contracts/platform.ts';
import type { DocumentTesting, MetadataDocumentPolicy, RegistrationPolicy } from '../contracts/registration.ts';
import { type Store, storeMethods } from '../contracts/store.ts';
import type { Telemetry } from '../contracts/telemetry.ts';
import type { CampusKeys, CheckedKeys, KeySite, SiteKeys } from '../protocol/keys.ts';
import {
  flag,
  func,
  group,
  instance,
  list,
  type Members,
  methods,
  seconds,
  text,
  whole,
} from '../protocol/option-schemas.ts';
import type { ScopeCatalogue, StandardScope } from '../protocol/scopes.ts';
import { isObject, readOptions } from '../protocol/validate.ts';
import { allClients, clientsSchema } from './clients.ts';
import { keysOptionSchema } from './keys.ts';
import { enginesSchema, lifetimesSchema, limitsSchema, siteCacheSchema } from './limits.ts';
import { checkScopeTexts, type PagesOptions, type PagesSettings, pagesSchema } from './pages.ts';
import { operatorRolesSchema, platformSchema } from './platform.ts';
import { metadataDocumentsSchema, registrationSchema } from './policies.ts';
import { campusScopes, type HostScope, omitScopesSchema, scopesSchema } from './scopes.ts';

/** Options of `createCampus`. */
export interface CampusOptions {
  readonly platform: SchoolPlatform;
  readonly store: Store;
  /**
   * The keys, or a function that returns the current ones. It is called at startup and then at most every 10 seconds, so that keys
   * are rotated without a restart. A failure is a fault, and the last keys remain.
   */
  readonly keys: CampusKeys | (() => CampusKeys);
  /** The signing keys of one site; asked like `keys`. For `undefined`, those of `keys`. @default those of `keys` for every site */
  readonly siteKeys?: ((site: KeySite) => SiteKeys | null | undefined) | undefined;
  /** Clients that the platform runs or vouches for. @default [] */
  readonly clients?: readonly StaticClient[] | undefined;
  /** Scopes in addition to those of the specification, and other texts for those. @default [] */
  readonly scopes?: readonly HostScope[] | undefined;
  /** Scopes of the specification whose API the platform does not offer. They do not exist then. @default [] */
  readonly omitScopes?: readonly StandardScope[] | undefined;
  /** Called in order. Each may narrow the scopes that the previous one left, or deny. @default [] */
  readonly consent?: readonly ConsentPolicy[] | undefined;
  /** Claims of your own, beside those of the specification, in UserInfo and the ID token alike. @default none */
  readonly claims?: HostClaims | undefined;
  readonly lifetimes?: Partial<Lifetimes> | undefined;
  /** Called in order. The first verdict wins. Without a policy there is no registration endpoint. @default [] */
  readonly registration?: readonly RegistrationPolicy[] | undefined;
  /** Which Client ID Metadata Documents may be clients. @default none */
  readonly metadataDocuments?: MetadataDocumentPolicy | undefined;
  /** `memberApi(…)` of `campus-oidc/member-api`. Without it there is no `/member/graphql`. @default none */
  readonly memberApi?: MemberApiPlugin | undefined;
  /** `mcp(…)` of `campus-oidc/mcp`. Without it there is no `/mcp`. @default none */
  readonly mcp?: McpPlugin | undefined;
  /** Requests per hour; `false` removes all limits. */
  readonly limits?: Partial<Limits> | false | undefined;
  /** How many sites of a process have an engine in memory. */
  readonly engines?: Partial<EngineCache> | undefined;
  /** How long results of `platform.findSite` are kept, and how many. */
  readonly siteCache?: Partial<SiteCache> | undefined;
  /** `openTelemetry()` of `campus-oidc/opentelemetry`: traces and metrics. @default none */
  readonly telemetry?: Telemetry | undefined;
  /** The HTML pages: their paths, texts and design. */
  readonly pages?: PagesOptions | undefined;
  /** Only for tests: exceptions from the network rules for metadata documents. @default none */
  readonly testing?: DocumentTesting | undefined;
}

/** The options as read once: checked, completed and frozen. @internal */
export interface Settings extends Omit<CampusOptions, 'scopes' | 'omitScopes'> {
  readonly catalogue: ScopeCatalogue;
  readonly operatorRoles: ReadonlySet<string>;
  readonly keys: CheckedKeys | (() => CampusKeys);
  readonly clients: readonly StaticClient[];
  readonly consent: readonly ConsentPolicy[];
  readonly lifetimes: Lifetimes;
  readonly registration: readonly RegistrationPolicy[];
  readonly limits: Limits | false;
  readonly engines: EngineCache;
  readonly siteCache: SiteCache;
  readonly pages: PagesSettings;
}

const testingSchema = group({
  resolve: func<NonNullable<DocumentTesting['resolve']>>().optional().describe('Replaces the DNS resolver.'),
  ca: text().optional().describe('Certificates to trust instead of those of the system, PEM.'),
  allowPrivateAddresses: flag.default(false).describe('Connect to addresses that are not public.'),
  port: whole('whole number', 1, 65_535).optional().describe('Connect to this port, whatever the URL says.'),
} satisfies Members<DocumentTesting>).describe(
  'Only for tests: exceptions from the network rules for metadata documents.',
);

function isPlugin(value: unknown): boolean {
  return isObject(value) && typeof value['mount'] === 'function';
}

function plugin<P extends object>(name: string, module: string) {
  return z
    .custom<P>(isPlugin, `be what ${name}() of ${module} returns`)
    .meta({ description: `What \`${name}()\` of \`${module}\` returns.`, type: 'plug-in' })
    .optional();
}

const storeMembers = {
  ...methods(storeMethods),
  deadline: seconds(600).optional(),
  observe: func().optional(),
  diagnose: func().optional(),
};

const telemetryMethods = methods(['request', 'call', 'client', 'tokens', 'engines']);

const schema = group({
  platform: platformSchema,
  store: instance<Store>(storeMembers, 'be a store, for example memoryStore()')
    .describe('Where everything is stored.')
    .meta({ type: '`Store`' }),
  keys: keysOptionSchema.describe('The keys of the server, or a function that returns them.'),
  siteKeys: func<NonNullable<CampusOptions['siteKeys']>>()
    .optional()
    .describe('Returns the signing keys of one site. For `undefined`, those of `keys`.'),
  clients: clientsSchema.prefault([]).describe('Clients that the platform runs or vouches for.'),
  scopes: scopesSchema
    .prefault([])
    .describe('Scopes in addition to those of the specification, and other texts for those.'),
  omitScopes: omitScopesSchema
    .prefault([])
    .describe('Scopes of the specification whose API the platform does not offer.'),
  consent: list(func<ConsentPolicy>().meta({ type: '`ConsentPolicy`' }), 'be an array of functions')
    .describe('Called in order. Each may narrow the scopes that the previous one left, or deny.')
    .prefault([]),
  claims: func<HostClaims>()
    .optional()
    .describe('Returns namespaced claims of your own, for UserInfo and the ID token alike.'),
  lifetimes: lifetimesSchema.describe('How long things live.'),
  registration: registrationSchema.prefault([]),
  metadataDocuments: metadataDocumentsSchema.optional(),
  memberApi: plugin<MemberApiPlugin>('memberApi', 'campus-oidc/member-api'),
  mcp: plugin<McpPlugin>('mcp', 'campus-oidc/mcp'),
  limits: limitsSchema.describe('Requests per hour. `false` removes all limits.'),
  engines: enginesSchema.describe('What a process keeps for each site in use.'),
  siteCache: siteCacheSchema.describe(
    'The results of `platform.findSite` that a process keeps, also for unknown origins.',
  ),
  telemetry: instance<Telemetry>(telemetryMethods, 'be what openTelemetry() of campus-oidc/opentelemetry returns')
    .describe('What `openTelemetry()` of `campus-oidc/opentelemetry` returns.')
    .meta({ type: '`Telemetry`' })
    .optional(),
  pages: pagesSchema.describe('The HTML pages.'),
  testing: testingSchema.optional(),
} satisfies Members<CampusOptions>);

/** @internal */
export const campusSchema: z.ZodType = schema;

/**
 * Reads the options. The schemas are the only place that knows a default.
 *
 * @throws TypeError that names the option by its path, for example `keys.signing[0].alg must be "ES256"`
 * @internal
 */
export function resolveOptions(options: CampusOptions): Settings {
  const given = readOptions(schema, options, '');
  const { platform, scopes, omitScopes, clients, registration } = given;
  const catalogue = campusScopes(scopes, omitScopes);
  checkScopeTexts(given.pages.texts, catalogue);
  return Object.freeze({
    ...given,
    catalogue,
    operatorRoles: new Set(readOptions(operatorRolesSchema, platform.operatorRoles, 'platform.operatorRoles')),
    clients: allClients(clients, registration, catalogue),
  });
}
