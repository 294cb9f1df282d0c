import type { OAuthError } from '../../../kernel/errors.ts';
import type { ScopeRow } from '../../../core/scopes/scopes.ts';
import type { PolicyClient, AppInfo } from '../../../core/clients/client.ts';
import type { MaybePromise, Site } from '../../../host/school-platform.ts';
import type { RegistrationMetadata, RegisteredClientMetadata } from '../../../core/clients/registered-metadata.ts';

/** The input of a registration policy. */
export interface RegistrationRequest<School extends Site = Site> {
  /** The school at which the client registers. */
  readonly site: School;
  /** The metadata that the client posted. */
  readonly metadata: RegistrationMetadata;
  /** All scopes. `createCampus` always passes them. @default `scopeCatalogue` */
  readonly scopes?: readonly ScopeRow[] | undefined;
}

/** The verdict of a registration policy: `known` for a client that already exists, `admit` for a new one. */
export type RegistrationVerdict =
  | { readonly decision: 'known'; readonly clientId: string }
  | {
      readonly decision: 'admit';
      readonly metadata: RegisteredClientMetadata;
      /** Lifetime in seconds of a registration that is never authorized. @default 86400 (24 hours) */
      readonly ttl?: number | undefined;
      /** The app of the client. It stays the same even if the policy changes. @default no known app */
      readonly app?: AppInfo | undefined;
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
   * The ids of apps that it admits, in addition to `knownApps`. A school can then set a rule for an app that is not connected yet.
   * @default []
   */
  readonly apps?: readonly string[] | undefined;
  /**
   * Checks the scopes that the policy names in its own options. `createCampus` calls it once, with all scopes.
   *
   * @throws TypeError that names an option with a scope that is not there, or not for operator clients
   */
  checkScopes?(scopes: readonly ScopeRow[]): void;
  /** The description for client developers. @default the policy's name */
  readonly guide?: RegistrationGuide | undefined;
}
