import type { StaticClient } from '../contracts/client.ts';
import type { Lifetimes } from '../contracts/lifetimes.ts';
import type { Limits } from '../contracts/limits.ts';
import type { ConsentPolicy } from '../contracts/consent.ts';
import type { McpPlugin, MemberApiPlugin } from '../contracts/plugin.ts';
import type { SchoolPlatform } from '../contracts/platform.ts';
import type { MetadataDocumentPolicy, RegistrationPolicy } from '../contracts/registration.ts';
import type { Store } from '../contracts/store.ts';
import { checkClients } from './clients.ts';
import type { CampusKeys, CheckedKeys } from '../protocol/keys.ts';
import type { DocumentTesting } from '../contracts/document-testing.ts';
import { type PagesOptions, type PagesSettings, resolvePages } from './pages.ts';
import { checkLifetimes, checkLimits, checkPolicies, isObject, must, readKeys } from './checks.ts';

/** Options of `createCampus`. */
export interface CampusOptions {
  readonly platform: SchoolPlatform;
  readonly store: Store;
  readonly keys: CampusKeys;
  /** Clients that the platform itself runs or vouches for. @default [] */
  readonly clients?: readonly StaticClient[] | undefined;
  /** Asked in order; each may narrow what the one before left, or deny. @default [] */
  readonly consent?: readonly ConsentPolicy[] | undefined;
  readonly lifetimes?: Partial<Lifetimes> | undefined;
  /** Asked in order; the first verdict wins. Without one there is no registration endpoint. @default [] */
  readonly registration?: readonly RegistrationPolicy[] | undefined;
  /** Which Client ID Metadata Documents may be clients. @default none */
  readonly metadataDocuments?: MetadataDocumentPolicy | undefined;
  /** `memberApi(…)` of `campus-oidc/member-api`. Without it there is no `/member/graphql`. */
  readonly memberApi?: MemberApiPlugin | undefined;
  /** `mcp(…)` of `campus-oidc/mcp`. Without it there is no `/mcp`. */
  readonly mcp?: McpPlugin | undefined;
  /** What anybody may make the server write, fetch or do in an hour; `false` for no limit. */
  readonly limits?: Partial<Limits> | false | undefined;
  /** The pages that people meet: their paths, texts and looks. */
  readonly pages?: PagesOptions | undefined;
  /** For tests: ways around the rules of the network when a metadata document is fetched. @default none */
  readonly testing?: DocumentTesting | undefined;
}

/** The options as read once: checked, completed and frozen. */
export interface Settings {
  readonly platform: SchoolPlatform;
  readonly operatorRoles: ReadonlySet<string>;
  readonly store: Store;
  readonly keys: CheckedKeys;
  readonly clients: readonly StaticClient[];
  readonly consent: readonly ConsentPolicy[];
  readonly lifetimes: Lifetimes;
  readonly registration: readonly RegistrationPolicy[];
  readonly metadataDocuments: MetadataDocumentPolicy | undefined;
  readonly memberApi: MemberApiPlugin | undefined;
  readonly mcp: McpPlugin | undefined;
  readonly limits: Limits | false;
  readonly pages: PagesSettings;
  readonly testing: DocumentTesting | undefined;
}

const defaultLifetimes: Lifetimes = {
  authorizationCode: 60,
  accessToken: 2 * 60 * 60,
  refreshToken: 30 * 24 * 60 * 60,
  grant: 180 * 24 * 60 * 60,
  interaction: 60 * 60,
  refreshGrace: 10,
};

/** The limits where nothing else is said. */
const defaultLimits: Limits = {
  registrations: { perAddress: 60, perSite: 600 },
  documents: { perAddress: 60, perSite: 600 },
  anonymousCalls: { perAddress: 3600, perSite: 36_000 },
  tokenCalls: { perMember: 3600 },
};

const platformMethods = ['findSite', 'signedInMember', 'signInUrl', 'findMember'] as const;
const storeMethods = [
  'find',
  'save',
  'remove',
  'redeem',
  'listClients',
  'consumeQuota',
  'grantIds',
  'revoke',
  'ping',
] as const;
const optionNames = new Set([
  'platform',
  'store',
  'keys',
  'clients',
  'consent',
  'lifetimes',
  'registration',
  'metadataDocuments',
  'memberApi',
  'mcp',
  'limits',
  'pages',
  'testing',
]);

/**
 * Reads the options: the only place that knows a default.
 *
 * @throws TypeError that names the option by its path, for example `keys.signing[0].alg must be "ES256"`
 */
export function resolveOptions(options: CampusOptions): Settings {
  must(typeof options === 'object' && options !== null, 'options', 'be an object');
  for (const name of Object.keys(options)) must(optionNames.has(name), name, 'not be given: there is no such option');
  const { platform, store, keys, clients = [], consent = [], lifetimes = {}, registration = [], limits = {} } = options;
  must(typeof platform === 'object' && platform !== null, 'platform', 'be an object');
  for (const name of platformMethods) must(typeof platform[name] === 'function', `platform.${name}`, 'be a function');
  const operatorRoles = platform.operatorRoles ?? ['owner', 'admin'];
  must(
    Array.isArray(operatorRoles) && operatorRoles.every((role) => typeof role === 'string'),
    'platform.operatorRoles',
    'be an array of strings',
  );
  must(typeof store === 'object' && store !== null, 'store', 'be a store, for example memoryStore()');
  for (const name of storeMethods) must(typeof store[name] === 'function', `store.${name}`, 'be a function');
  must(Array.isArray(consent), 'consent', 'be an array of functions');
  consent.forEach((policy, i) => must(typeof policy === 'function', `consent[${i}]`, 'be a function'));
  checkPolicies(registration, options.metadataDocuments);
  checkClients(clients, registration);
  checkLimits(limits, defaultLimits);
  checkLifetimes(lifetimes, Object.keys(defaultLifetimes));
  return Object.freeze({
    platform,
    operatorRoles: new Set(operatorRoles),
    store,
    keys: readKeys(keys),
    clients: structuredClone([...clients, ...registration.flatMap((policy) => policy.clients ?? [])]),
    consent: [...consent],
    lifetimes: completeLifetimes(lifetimes),
    registration: [...registration],
    metadataDocuments: options.metadataDocuments,
    memberApi: readPlugin(options.memberApi, 'memberApi', 'campus-oidc/member-api'),
    mcp: readPlugin(options.mcp, 'mcp', 'campus-oidc/mcp'),
    limits: limits === false ? false : { ...defaultLimits, ...limits },
    pages: resolvePages(options.pages ?? {}),
    testing: options.testing,
  });
}

function completeLifetimes(given: Partial<Lifetimes>): Lifetimes {
  const of = (name: keyof Lifetimes): number => given[name] ?? defaultLifetimes[name];
  return {
    authorizationCode: of('authorizationCode'),
    accessToken: of('accessToken'),
    refreshToken: of('refreshToken'),
    grant: of('grant'),
    interaction: of('interaction'),
    refreshGrace: of('refreshGrace'),
  };
}

function readPlugin<P extends object>(plugin: P | undefined, path: string, module: string): P | undefined {
  const isPlugin = isObject(plugin) && typeof plugin['mount'] === 'function';
  must(plugin === undefined || isPlugin, path, `be what ${path}() of ${module} returns`);
  return plugin;
}
