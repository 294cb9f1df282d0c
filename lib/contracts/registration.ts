import type { LookupAddress } from 'node:dns';
import type { AuthenticationMethod } from '../protocol/client-authentication.ts';
import type { KeyMetadata } from '../protocol/client-keys.ts';
import type { OAuthError, OAuthErrorBody } from '../protocol/errors.ts';
import type { Scope, ScopeRow } from '../protocol/scopes.ts';
import type { DatedDocument } from './document-copies.ts';
import type { ProgramInfo, StaticClient } from './client.ts';
import type { Program } from '../protocol/known-programs.ts';
import type { MaybePromise, Site } from './platform.ts';
import type { JsonObject } from './json.ts';

/** The metadata that a client posts, with its types checked and unknown members removed. RFC 7591 section 2. */
export interface RegistrationMetadata {
  readonly client_name?: string | undefined;
  readonly application_type?: string | undefined;
  readonly redirect_uris?: readonly string[] | undefined;
  readonly token_endpoint_auth_method?: string | undefined;
  readonly grant_types?: readonly string[] | undefined;
  readonly response_types?: readonly string[] | undefined;
  readonly client_uri?: string | undefined;
  readonly logo_uri?: string | undefined;
  readonly tos_uri?: string | undefined;
  readonly policy_uri?: string | undefined;
  readonly scope?: string | undefined;
}

/** The input of a registration policy. */
export interface RegistrationRequest<School extends Site = Site> {
  /** The site at which the client registers. */
  readonly site: School;
  /** The metadata that the client posted. */
  readonly metadata: RegistrationMetadata;
  /** All scopes. `createCampus` always passes them. @default `scopeCatalogue` */
  readonly scopes?: readonly ScopeRow[] | undefined;
}

/** A client that a registration policy knows in advance. */
export interface PolicyClient extends Omit<StaticClient, 'scopes'> {
  /** The scopes that the client may request. @default every scope for its audience */
  readonly scopes?: readonly Scope[] | undefined;
}

/** The metadata of a public client, as stored and returned by registration. RFC 7591 section 3.2.1. */
export interface RegisteredClientMetadata extends Pick<
  RegistrationMetadata,
  'client_name' | 'client_uri' | 'logo_uri' | 'tos_uri' | 'policy_uri'
> {
  readonly application_type: 'native' | 'web';
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: 'none';
  readonly grant_types: readonly ('authorization_code' | 'refresh_token')[];
  readonly response_types: readonly 'code'[];
  /** The scopes that the client may request, separated by spaces. */
  readonly scope: string;
}

/** The verdict of a registration policy: `known` for a client that already exists, `admit` for a new one. */
export type RegistrationVerdict =
  | { readonly decision: 'known'; readonly clientId: string }
  | {
      readonly decision: 'admit';
      readonly metadata: RegisteredClientMetadata;
      /** Lifetime in seconds of a registration that is never authorized. @default 86400 (24 hours) */
      readonly ttl?: number | undefined;
      /** Which program it is; it stays so whatever becomes of the policy. @default none that is known */
      readonly program?: ProgramInfo | undefined;
    };

/** The description of a policy in `/auth.md` and `/openapi.json`. */
export interface RegistrationGuide {
  /** A paragraph for `/auth.md`, with code, strong words and links as in Markdown: who may register, and what they get. */
  readonly text: string;
  /** An example that the policy admits. @default none */
  readonly example?: RegistrationMetadata | undefined;
}

/**
 * Decides whether a client may register. Policies are asked in order and the first verdict wins. If no policy returns a
 * verdict, the error comes from the last policy that has a `refusal`. If a policy throws another error than an `OAuthError`
 * or takes longer than 10 seconds, that is a fault (503). Specification: Registration rules 1 and 2.
 */
export interface RegistrationPolicy<School extends Site = Site> {
  /** The name in `explainRegistration` and in audit events. */
  readonly name: string;
  /** Returns a verdict, or `undefined` to ask the next policy. @throws OAuthError to refuse the registration */
  decide(request: RegistrationRequest<School>): MaybePromise<RegistrationVerdict | undefined>;
  /** Returns the error if no policy returns a verdict. @default `invalid_client_metadata` */
  refusal?(request: RegistrationRequest<School>): OAuthError;
  /** The clients that a `known` verdict can name. @default [] */
  readonly clients?: readonly PolicyClient[] | undefined;
  /**
   * Checks the scopes that the policy names in its own options. `createCampus` calls it once, with all scopes.
   *
   * @throws TypeError that names an option with a scope that is not there, or not for operator clients
   */
  checkScopes?(scopes: readonly ScopeRow[]): void;
  /** The description for client developers. @default the policy's name */
  readonly guide?: RegistrationGuide | undefined;
}

/** The metadata of a document, whose client is public or has a key. */
export interface DocumentMetadata extends Omit<RegisteredClientMetadata, 'token_endpoint_auth_method'>, KeyMetadata {
  readonly client_id: string;
  readonly token_endpoint_auth_method: 'none' | 'private_key_jwt';
}

/** A metadata document that has been checked. */
export interface CheckedDocument {
  /** The normalized metadata. `scope` has the scopes that an unreviewed document may request. */
  readonly metadata: DocumentMetadata;
  /** A digest of the name, the redirect URIs and the keys. It changes if one of them changes. */
  readonly digest: string;
}

/** What is known of a metadata document by its URL alone. */
export interface KnownOfDocument {
  /** The program that publishes it. */
  readonly program?: Program | undefined;
  /** A copy, which serves while the document cannot be fetched and has never been. */
  readonly copy?: DatedDocument | undefined;
}

/**
 * Decides which Client ID Metadata Documents (HTTPS URLs as `client_id`) are accepted. Specification: Registration
 * rules 3; draft-ietf-oauth-client-id-metadata-document.
 */
export interface MetadataDocumentPolicy {
  /** Called before a fetch and at every use of a cached document. @throws OAuthError that states why this URL is refused */
  checkClientId(clientId: string): void;
  /**
   * Checks and normalizes a fetched document. `createCampus` always passes the ways in which a client may authenticate. @default `['none']`
   * @throws OAuthError that states what is wrong with the document
   */
  checkDocument(clientId: string, document: JsonObject, methods?: readonly AuthenticationMethod[]): CheckedDocument;
  /**
   * Returns the scopes, among `scopes`, that the client can get without an operator's approval. Called at every use of the
   * client and of its tokens, since a review can be withdrawn. `createCampus` always passes `scopes`. @default `scopeCatalogue`
   */
  allowedScopes(clientId: string, digest: string, scopes?: readonly ScopeRow[]): MaybePromise<readonly Scope[]>;
  /** What is known in advance of the document at this URL. @default nothing */
  known?(clientId: string): KnownOfDocument | undefined;
  /** A paragraph for `/auth.md`, with code, strong words and links as in Markdown: which documents are accepted. @default a general sentence */
  readonly guide?: string | undefined;
}

export const documentPolicyMethods = ['checkClientId', 'checkDocument', 'allowedScopes'] as const;

/** Overrides for fetching metadata documents. For tests only: they disable protections. */
export interface DocumentTesting {
  /** Replaces the DNS resolver. @default the name servers of `node:dns` */
  readonly resolve?: ((host: string) => Promise<readonly LookupAddress[]>) | undefined;
  /** CA certificates to trust, PEM. @default the system's */
  readonly ca?: string | undefined;
  /** Whether to connect to addresses that are not public. @default false */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** The port to connect to. @default the port of the URL */
  readonly port?: number | undefined;
}

/** The registration response: the registered metadata, never a secret. RFC 7591 section 3.2.1. */
export interface RegistrationResponse {
  readonly client_id: string;
  readonly [member: string]: unknown;
}

/** The response that the registration endpoint would send, and the policy that decides it. */
export interface RegistrationExplanation {
  readonly outcome: 'known' | 'admitted' | 'refused';
  /** Name of the policy that decided. Absent if the body was refused before, or if no policy decided. */
  readonly policy?: string | undefined;
  /** HTTP status of the response. */
  readonly status: number;
  /** Body of the response. The `client_id` of an admitted client is random and not stored. */
  readonly body: RegistrationResponse | OAuthErrorBody;
}
