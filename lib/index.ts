export type {
  Access,
  ClientAudience,
  ClientInfo,
  ClientSource,
  StaticClient,
  VerifyAccess,
} from './contracts/client.ts';
export type { AccessRequirement, AccessState } from './bearer/guard.ts';
export { type Campus, createCampus, type Health } from './campus.ts';
export type { HandlerOptions, NodeHandler } from './http/node-handler.ts';
export { type ApplicationProblem, InvalidApplication } from './clients/application-input.ts';
export type {
  Application,
  ApplicationInput,
  Applications,
  IssuedSecret,
  NewApplication,
} from './contracts/application.ts';
export type { ClaimsRequest, HostClaims } from './contracts/claims.ts';
export type { ConsentPolicy, ConsentRequest, ConsentVerdict } from './contracts/consent.ts';
export type { BlockedClient, Connection, Connections, ListPage, ListQuery } from './contracts/connection.ts';
export type { DocumentReviews, SeenBeside, SeenDocument, SeenLogo } from './contracts/document-review.ts';
export type { McpPlugin, MemberApiPlugin } from './contracts/plugin.ts';
export type { PageTemplate, PageView } from './contracts/page.ts';
export type {
  MaybePromise,
  Member,
  SchoolPlatform,
  PlatformSession,
  SignInHint,
  Site,
  SiteColours,
} from './contracts/platform.ts';
export type { JsonObject, JsonValue } from './contracts/json.ts';
export type {
  CheckedDocument,
  DocumentTesting,
  KnownClient,
  MetadataDocumentPolicy,
  RegisteredClientMetadata,
  RegistrationExplanation,
  RegistrationGuide,
  RegistrationMetadata,
  RegistrationPolicy,
  RegistrationRequest,
  RegistrationResponse,
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
  type OAuthErrorBody,
  type OAuthErrorOptions,
  ServerError,
  TemporarilyUnavailable,
} from './protocol/errors.ts';
export type { AuditAction, AuditActor, AuditedTool, AuditEvent } from './runtime/audit-event.ts';
export { type AuditLog, auditLog } from './runtime/audit-log.ts';
export type { CampusEmitter, CampusEvents, FaultEvent } from './runtime/events.ts';
export type { DiagnoseOptions, Finding, HealthOptions, Severity } from './contracts/finding.ts';
export type { CampusKeys, Jwk, KeySite, SiteKeys } from './protocol/keys.ts';
export type { HourlyLimit, Lifetimes, Limits, MemberLimit } from './contracts/limits.ts';
export type { CampusOptions } from './options/options.ts';
export type { PagesOptions } from './options/pages.ts';
export type { HostScope, ScopeTextOverride } from './options/scopes.ts';
export type { SomeTexts, TextKey, Texts } from './i18n/texts.ts';
export type { TextOverrides } from './i18n/translations.ts';
export { scopeCatalogue, type Scope, type ScopeAccess, type ScopeRow, type StandardScope } from './protocol/scopes.ts';
