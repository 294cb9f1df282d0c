import * as z from 'zod';
import type { StaticClient } from '../contracts/client.ts';
import type { Lifetimes, Limits } from '../contracts/limits.ts';
import type { ConsentPolicy } from '../contracts/consent.ts';
import type { McpPlugin, MemberApiPlugin } from '../contracts/plugin.ts';
import type { SchoolPlatform } from '../contracts/platform.ts';
import type { DocumentTesting, MetadataDocumentPolicy, RegistrationPolicy } from '../contracts/registration.ts';
import type { Store } from '../contracts/store.ts';
import { flag, func, group, type Members, text, whole } from '../protocol/option-schemas.ts';
import { isObject, readOptions } from '../protocol/validate.ts';
import { allClients, clientsSchema } from './clients.ts';
import {
  consentSchema,
  metadataDocumentsSchema,
  operatorRolesSchema,
  platformSchema,
  registrationSchema,
  storeSchema,
} from './host.ts';
import { keysSchema } from './keys.ts';
import { lifetimesSchema, limitsSchema } from './limits.ts';
import type { CampusKeys, CheckedKeys } from '../protocol/keys.ts';
import { type PagesOptions, type PagesSettings, pagesSchema } from './pages.ts';

/** Options of `createCampus`. */
export interface CampusOptions {
  readonly platform: SchoolPlatform;
  readonly store: Store;
  readonly keys: CampusKeys;
  /** Clients that the platform runs or vouches for. @default [] */
  readonly clients?: readonly StaticClient[] | undefined;
  /** Called in order. Each may narrow the scopes that the previous one left, or deny. @default [] */
  readonly consent?: readonly ConsentPolicy[] | undefined;
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
  /** The HTML pages: their paths, texts and design. */
  readonly pages?: PagesOptions | undefined;
  /** Only for tests: exceptions from the network rules for metadata documents. @default none */
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
  readonly metadataDocuments?: MetadataDocumentPolicy | undefined;
  readonly memberApi?: MemberApiPlugin | undefined;
  readonly mcp?: McpPlugin | undefined;
  readonly limits: Limits | false;
  readonly pages: PagesSettings;
  readonly testing?: DocumentTesting | undefined;
}

const testingSchema: z.ZodType<DocumentTesting> = group({
  resolve: func<NonNullable<DocumentTesting['resolve']>>().optional().describe('Replaces the DNS resolver.'),
  ca: text().optional().describe('Certificates to trust instead of those of the system, PEM.'),
  allowPrivateAddresses: flag.default(false).describe('Connect to addresses that are not public.'),
  port: whole('whole number', 1, 65_535).optional().describe('Connect to this port, whatever the URL says.'),
} satisfies Members<DocumentTesting>);

function plugin<P extends object>(name: string, module: string): z.ZodOptional<z.ZodCustom<P, P>> {
  const isPlugin = (value: unknown): boolean => isObject(value) && typeof value['mount'] === 'function';
  return z
    .custom<P>(isPlugin, `be what ${name}() of ${module} returns`)
    .meta({ description: `What \`${name}()\` of \`${module}\` returns.`, type: 'plug-in' })
    .optional();
}

const schema = group({
  platform: platformSchema,
  store: storeSchema,
  keys: keysSchema.describe('The keys of the server.'),
  clients: clientsSchema.prefault([]).describe('Clients that the platform runs or vouches for.'),
  consent: consentSchema.prefault([]),
  lifetimes: lifetimesSchema.describe('How long things live.'),
  registration: registrationSchema.prefault([]),
  metadataDocuments: metadataDocumentsSchema.optional(),
  memberApi: plugin<MemberApiPlugin>('memberApi', 'campus-oidc/member-api'),
  mcp: plugin<McpPlugin>('mcp', 'campus-oidc/mcp'),
  limits: limitsSchema.describe('Requests per hour. `false` removes all limits.'),
  pages: pagesSchema.describe('The HTML pages.'),
  testing: testingSchema
    .optional()
    .describe('Only for tests: exceptions from the network rules for metadata documents.'),
} satisfies Members<CampusOptions>);

/** @internal */
export const campusSchema: z.ZodType = schema;

/**
 * Reads the options. The schemas are the only place that knows a default.
 *
 * @throws TypeError that names the option by its path, for example `keys.signing[0].alg must be "ES256"`
 */
export function resolveOptions(options: CampusOptions): Settings {
  const given = readOptions(schema, options, '');
  const { platform, clients, registration } = given;
  return Object.freeze({
    ...given,
    operatorRoles: new Set(readOptions(operatorRolesSchema, platform.operatorRoles, 'platform.operatorRoles')),
    clients: allClients(clients, registration),
  });
}
