import * as z from 'zod';
import type { StaticClient } from '../contracts/client.ts';
import type { Lifetimes } from '../contracts/lifetimes.ts';
import type { Limits } from '../contracts/limits.ts';
import type { ConsentPolicy } from '../contracts/consent.ts';
import type { MemberApiOptions } from '../contracts/member-api.ts';
import type { SchoolPlatform } from '../contracts/platform.ts';
import type { MetadataDocumentPolicy, RegistrationPolicy } from '../contracts/registration.ts';
import type { Store } from '../contracts/store.ts';
import type { Tool } from '../contracts/tools.ts';
import { flag, func, group, type Members, text, whole } from '../protocol/option-schemas.ts';
import { readOptions } from '../protocol/validate.ts';
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
import type { DocumentTesting } from '../contracts/document-testing.ts';
import { checkData, type MemberApiSettings, readMemberApi } from '../member/options.ts';
import { type PagesOptions, type PagesSettings, pagesSchema } from './pages.ts';
import { type McpOptions, readMcpOptions, readToolList } from '../mcp/declare/options.ts';

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
  /** How `/member/graphql` differs from ours: more fields, other limits. */
  readonly memberApi?: MemberApiOptions | undefined;
  /** The tools of `/mcp`: ours (`builtInTools`), yours (`defineTool`). @default [] */
  readonly tools?: readonly Tool<unknown>[] | undefined;
  /** How `/mcp` behaves. */
  readonly mcp?: Partial<McpOptions> | undefined;
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
  readonly memberApi: MemberApiSettings;
  readonly tools: readonly Tool<unknown>[];
  readonly mcp: McpOptions;
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

const schema = group({
  platform: platformSchema,
  store: storeSchema,
  keys: keysSchema.describe('The keys of the server.'),
  clients: clientsSchema.prefault([]).describe('Clients that the platform runs or vouches for.'),
  consent: consentSchema.prefault([]),
  lifetimes: lifetimesSchema.describe('How long things live.'),
  registration: registrationSchema.prefault([]),
  metadataDocuments: metadataDocumentsSchema.optional(),
  memberApi: z
    .custom<CampusOptions['memberApi']>()
    .optional()
    .meta({ description: 'Additions to the Member API, and its limits.', type: 'object' }),
  tools: z
    .custom<CampusOptions['tools']>()
    .optional()
    .meta({ description: 'The tools of `/mcp`.', type: 'array of `Tool`' }),
  mcp: z.custom<CampusOptions['mcp']>().optional().meta({ description: 'The tool endpoint.', type: 'object' }),
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
  checkData(platform);
  return Object.freeze({
    ...given,
    operatorRoles: new Set(readOptions(operatorRolesSchema, platform.operatorRoles, 'platform.operatorRoles')),
    clients: allClients(clients, registration),
    memberApi: readMemberApi(given.memberApi),
    tools: readToolList(given.tools),
    mcp: readMcpOptions(given.mcp),
  });
}
