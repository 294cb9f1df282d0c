import type { AssertingClient } from '../../../core/clients/assertion-audience.ts';
import type { AuthenticationMethod } from '../../../core/enabled/client-authentication.ts';
import type { KeyMetadata } from '../../../core/keys/public-keys.ts';
import type { Scope, ScopeRow } from '../../../core/scopes/scopes.ts';
import type { DatedDocument } from './document-copies.ts';
import type { DescribedApp } from '../../../core/known-apps/known-apps.ts';
import type { MaybePromise } from '../../../host/school-platform.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { RegisteredClientMetadata } from '../../../core/clients/registered-metadata.ts';

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
export interface KnownOfDocument extends AssertingClient {
  /** The app that publishes it. */
  readonly app?: DescribedApp | undefined;
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
  /** Returns facts about the document at this URL that are known in advance. @default nothing */
  known?(clientId: string): KnownOfDocument | undefined;
  /**
   * The ids of apps whose documents it accepts, in addition to `knownApps`. A school can then set a rule for an app that is not connected
   * yet. @default []
   */
  readonly apps?: readonly string[] | undefined;
  /** A paragraph for `/auth.md`, with code, strong words and links as in Markdown: which documents are accepted. @default a general sentence */
  readonly guide?: string | undefined;
}

export const documentPolicyMethods = ['checkClientId', 'checkDocument', 'allowedScopes'] as const;
