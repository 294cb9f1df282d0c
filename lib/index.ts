/**
 * Every school of a platform as an OpenID provider. "Specification: Tokens 1" in a comment names a section, and a rule of it, of the
 * service specification; `docs/spec-coverage.md` has its sentences by section.
 *
 * @packageDocumentation
 */

export type { Access, ClientAudience, ClientInfo, ServiceAccess, StaticClient } from './contracts/client.ts';
export type { AccessState } from './bearer/guard.ts';
export { type Campus, createCampus } from './campus.ts';
export { InvalidApplication } from './clients/application-input.ts';
export type {
  Application,
  Applications,
  ApplicationSecret,
  IssuedSecret,
  NewApplication,
  NewService,
  SecretRotation,
} from './contracts/application.ts';
export type {
  CampusHooks,
  ConsentPolicy,
  ConsentRequest,
  ConsentVerdict,
  HookEvent,
  HostClaims,
  PageTemplate,
  PageView,
} from './contracts/hooks.ts';
export type { ConsentTemplate, ConsentView } from './contracts/consent-view.ts';
export type { Connection, Connections } from './contracts/connection.ts';
export type { DocumentReviews, SeenDocument } from './contracts/document-review.ts';
export type {
  MaybePromise,
  Member,
  SchoolPlatform,
  PlatformSession,
  Service,
  SignInHint,
  Site,
} from './contracts/platform.ts';
export type { JsonObject } from './contracts/json.ts';
export type { PlatformRules } from './contracts/program.ts';
export type {
  MetadataDocumentPolicy,
  RegisteredClientMetadata,
  RegistrationMetadata,
  RegistrationPolicy,
  RegistrationRequest,
  RegistrationVerdict,
} from './contracts/registration.ts';
export {
  AccessDenied,
  InsufficientScope,
  InvalidClient,
  InvalidClientMetadata,
  InvalidGrant,
  InvalidRedirectUri,
  InvalidRequest,
  InvalidScope,
  InvalidTarget,
  InvalidToken,
  OAuthError,
  ServerError,
  TemporarilyUnavailable,
} from './protocol/errors.ts';
export type { AuditAction, AuditEvent } from './runtime/audit-event.ts';
export { auditLog } from './runtime/audit-log.ts';
export type { FaultEvent } from './runtime/events.ts';
export type { Finding } from './contracts/finding.ts';
export type { CampusKeys, Jwk } from './protocol/keys.ts';
export type { CampusOptions } from './options/options.ts';
export type { PagesOptions } from './options/pages.ts';
export type { TextKey } from './i18n/texts.ts';
export type { TextOverrides } from './i18n/translations.ts';
export { scopeCatalogue, type Scope, type ScopeRow, type StandardScope } from './protocol/scopes.ts';
