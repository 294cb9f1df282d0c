import type { OAuthError } from '../protocol/errors.ts';
import type { Scope } from '../protocol/scopes.ts';
import type { StaticClient } from './client.ts';
import type { MaybePromise, Site } from './platform.ts';
import type { JsonObject } from './json.ts';

/**
 * What a client posts about itself, already checked to be of these types; other members are dropped before a policy
 * sees it. RFC 7591 section 2.
 */
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

/** The question to a registration policy. */
export interface RegistrationRequest {
  readonly site: Site;
  readonly metadata: RegistrationMetadata;
}

/** The metadata of a public client as it is registered, and as the answer shows it. RFC 7591 section 3.2.1. */
export interface RegisteredClientMetadata {
  readonly client_name?: string | undefined;
  readonly application_type: 'native' | 'web';
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: 'none';
  readonly grant_types: readonly ('authorization_code' | 'refresh_token')[];
  readonly response_types: readonly 'code'[];
  readonly client_uri?: string | undefined;
  readonly logo_uri?: string | undefined;
  readonly tos_uri?: string | undefined;
  readonly policy_uri?: string | undefined;
  /** The most that it may ask for, space-separated. */
  readonly scope: string;
}

/** A policy's answer: a client that exists already, or a new one. */
export type RegistrationVerdict =
  | { readonly decision: 'known'; readonly clientId: string }
  | {
      readonly decision: 'admit';
      readonly metadata: RegisteredClientMetadata;
      /** Seconds that a registration nobody authorized lives. @default the server's own limit */
      readonly ttl?: number | undefined;
    };

/** What `/auth.md` and `/openapi.json` tell client developers of a policy. */
export interface RegistrationGuide {
  /** A paragraph of Markdown: who may register, and what they get. */
  readonly text: string;
  /** A registration that the policy answers with success. */
  readonly example?: RegistrationMetadata | undefined;
}

/**
 * Decides on registrations. Policies are asked in order and the first verdict wins; where none answers, the last
 * policy that has a `refusal` words it. Specification: Registration rules 1 and 2.
 */
export interface RegistrationPolicy {
  /** What `explainRegistration` and the audit call it. */
  readonly name: string;
  /** A verdict, nothing (the next policy is asked), or a thrown `OAuthError` that refuses. */
  decide(request: RegistrationRequest): MaybePromise<RegistrationVerdict | undefined>;
  /** How to refuse when no policy answered. @default `invalid_client_metadata` */
  refusal?(request: RegistrationRequest): OAuthError;
  /** The clients that a `known` verdict may name. */
  readonly clients?: readonly StaticClient[] | undefined;
  /** What client developers are told. @default that there are rules of this name */
  readonly guide?: RegistrationGuide | undefined;
}

/** A metadata document that passed, as the server is to use it. */
export interface CheckedDocument {
  /** The document, normalised; `scope` is the ceiling of an unreviewed document. */
  readonly metadata: RegisteredClientMetadata & { readonly client_id: string };
  /** A digest of what a person consents to: redirect URIs, name and keys. It changes when one of them does. */
  readonly digest: string;
}

/**
 * Decides on Client ID Metadata Documents: an HTTPS URL as `client_id`. Specification: Registration rules 3;
 * draft-ietf-oauth-client-id-metadata-document.
 */
export interface MetadataDocumentPolicy {
  /** Why this URL is refused, or `undefined`. Ask before a fetch, and again whenever a cached document is used. */
  permits(clientId: string): OAuthError | undefined;
  /** The document as the server is to use it. Throws an `OAuthError` that says what is wrong with it. */
  checkDocument(clientId: string, document: JsonObject): CheckedDocument;
  /** The most that this document's client may ask for now. Ask whenever it is used, since a review can be withdrawn. */
  ceiling(clientId: string, digest: string): MaybePromise<readonly Scope[]>;
  /** A paragraph of Markdown for `/auth.md`: whose documents are taken. @default that some are */
  readonly guide?: string | undefined;
}
