import type { RequestParameter } from '../kernel/request-parameter.ts';
import type { Site } from '../host/school-platform.ts';
import type { McpDescription, MemberApiDescription } from '../plugin-contract/plugin.ts';
import type { IdTokenAlgorithm } from '../core/keys/keys.ts';
import type { Lifetimes, Limits } from '../core/limits/limits.ts';
import type { FeatureSettings } from '../options/options.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import type { ScopeRow } from '../core/scopes/scopes.ts';
import type { ProtectedResource } from '../core/scopes/protected-resources.ts';
import type { ErrorCode, ErrorName } from './error-codes.ts';
import type { Part } from './guide-parts.ts';
import type { Operations } from './operation.ts';
import type { Example } from './schema-parts.ts';

/** The configuration as the documents for client developers describe it. */
export interface ServiceDescription extends CommonDescription, SiteDescription {}

/** What is the same at every school, and at any time. */
export interface CommonDescription {
  /** The host's policies in the options of features. */
  readonly policies: FeatureSettings;
  readonly enabled: Enabled;
  /** Those that are on. */
  readonly features: readonly DescribedFeature[];
  readonly scopes: readonly ScopeRow[];
  /** The standard claims that the host can add. @default none */
  readonly addedClaims?: readonly string[] | undefined;
  /** What `acr` can be. @default none */
  readonly acrValues?: readonly string[] | undefined;
  readonly memberApi: MemberApiDescription | undefined;
  readonly mcp: McpDescription | undefined;
  /** Each has its own metadata; the first is the origin. */
  readonly resources: readonly ProtectedResource[];
}

/** What a school has of its own, now. */
export interface SiteDescription {
  /** How ID tokens are signed; empty while none is issued. */
  readonly idTokenAlgorithms: readonly IdTokenAlgorithm[];
  readonly lifetimes: Lifetimes;
  readonly limits: Limits | false;
  /** What the rules of the school say of apps; empty for nothing. @default '' */
  readonly apps?: string;
}

/** Metadata as it is served. JSON omits the members that are `undefined`. */
export type MetadataDocument = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What a feature that is on adds to the documents for client developers. */
export interface DescribedFeature {
  /** Its members of the server metadata. */
  readonly metadata?: (origin: string, policies: FeatureSettings) => MetadataDocument;
  /** Its members of the metadata of each protected resource. */
  readonly resourceMetadata?: () => MetadataDocument;
  /** Its parameters of the authorization endpoint. */
  readonly authorizeParameters?: readonly RequestParameter[];
  /** Schemas of its members of token responses and introspection responses. */
  readonly tokenMembers?: Readonly<Record<string, object>>;
  /** Schemas of its members of UserInfo responses. */
  readonly claims?: Readonly<Record<string, object>>;
  /** Errors of the token endpoint that only it has. */
  readonly errors?: readonly (ErrorCode & { readonly status: number })[];
  /** What the API description says of its routes. */
  readonly operations?: (site: Site, service: ServiceDescription) => Operations;
  readonly schemas?: (enabled: Enabled) => Readonly<Record<string, object>>;
  /** Examples of the token endpoint, with the response to a refresh. */
  readonly tokenExamples?: (
    refreshed: { readonly expires_in: number },
    service: ServiceDescription,
  ) => readonly Example[];
  readonly guide?: (site: Site, service: ServiceDescription) => readonly Part[];
  /** Rows of the table of limits. */
  readonly limits?: (limits: Limits) => readonly LimitRow[];
  /** How apps get in that nobody at the school has created a client for. */
  readonly clients?: DescribedClients;
}

/** What a feature that lets clients in adds, at the places for that. */
export interface DescribedClients {
  /** A way to a `client_id`. */
  readonly guide: (site: Site, service: ServiceDescription) => readonly Part[];
  /** Its members of the server metadata, whose places are in `serverMetadata`. */
  readonly metadata: (origin: string) => MetadataDocument;
  /** What the API description says of its routes. */
  readonly operations?: (service: ServiceDescription) => Operations;
  readonly schemas?: Readonly<Record<string, object>>;
  /** Errors of `errorCodes` that are sent only if such a feature is on. */
  readonly errors: readonly ErrorName[];
  /** Those of them that any endpoint sends at which a client is looked up. */
  readonly lookupErrors?: readonly ErrorName[];
  readonly limits: (limits: Limits) => readonly LimitRow[];
}

/** A row of the table of limits. */
type LimitRow = readonly [request: string, limit: string];
