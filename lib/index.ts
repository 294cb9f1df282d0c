/**
 * Every school of a platform as an OpenID provider. "Specification: Tokens 1" in a comment names a section, and a rule of it, of the
 * service specification.
 *
 * @packageDocumentation
 */

export type {
  VerifiedToken,
  ClientAudience,
  ClientInfo,
  VerifiedServiceToken,
  StaticClient,
} from './core/clients/client.ts';
export type { ResourceServer } from './core/clients/resource-server.ts';
export type { SignInOptions } from './core/clients/sign-in-client.ts';
export type { IdTokenAlgorithm } from './core/keys/keys.ts';
export type { Boundary, BoundaryItem, BoundaryPage, BoundaryQuery, Only } from './core/boundaries/boundary.ts';
export type { Guard, GuardedRequest, GuardOptions } from './core/bearer/framework-guard.ts';
export type { TokenState } from './core/bearer/koa-guard.ts';
export { createCampus } from './campus.ts';
export type { Campus } from './public/campus.ts';
export { InvalidApplication } from './features/applications/domain/application-input.ts';
export type {
  Application,
  Applications,
  ApplicationSecret,
  IssuedSecret,
  NewApplication,
  NewService,
  SecretRotation,
} from './core/applications/application.ts';
export type { ConnectedPerson, PeoplePage, PeopleQuery } from './core/connections/people.ts';
export type { CampusLog } from './features/log/method-types.ts';
export type { EventLog } from './host/event-log.ts';
export type { EventPage, EventQuestion } from './observe/event-question.ts';
export type { LogKind } from './observe/log-kind.ts';
export type { EventsSince, WrittenEvents } from './records/stored-log.ts';
export type { CampusHooks, HookEvent } from './hooks/hook.ts';
export { Html, html, type HtmlValue } from './pages/kit/markup.ts';
export type { PageTemplate, PageView } from './pages/kit/page-template.ts';
export type { HostClaims } from './host/host-claims.ts';
export type { App } from './core/access/app.ts';
export type { PermissionReason, Explanation, ExplainQuestion } from './core/access/explain.ts';
export type { ExplainedReference, ReferenceQuestion } from './core/access/explained-reference.ts';
export type { PermissionOutcome } from './core/access/permission.ts';
export type { AccessPolicy, Question } from './core/access/policy.ts';
export type { AccessRule } from './core/access/rule.ts';
export { VersionConflict } from './core/clients/expected-version.ts';

export type { ConsentTemplate, ConsentView } from './pages/kit/consent-view.ts';
export type { Connection, Connections } from './core/connections/connection.ts';
export type { Apps, ListedApp, NamedApp } from './core/apps/apps.ts';
export type { Incident, IncidentReport, IncidentSchool } from './core/apps/incidents.ts';
export type { AppReview } from './core/access/app-review.ts';
export type {
  MaybePromise,
  Member,
  SchoolPlatform,
  PlatformSession,
  SchoolRole,
  Service,
  SignInHint,
  Site,
} from './host/school-platform.ts';
export type { JsonObject } from './kernel/json.ts';
export type {
  RegistrationPolicy,
  RegistrationRequest,
  RegistrationVerdict,
} from './features/registration/domain/registration-policy.ts';
export type { PseudonymOptions } from './features/pseudonyms/domain/option.ts';
export type { EndSession, LogoutOptions } from './features/logout/domain/option.ts';
export type { RegisteredClientMetadata, RegistrationMetadata } from './core/clients/registered-metadata.ts';
export type { MetadataDocumentPolicy } from './features/metadata-documents/domain/document-policy.ts';
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
} from './kernel/errors.ts';
export type { AuditAction, AuditEvent } from './observe/audit-event.ts';
export { auditLog } from './observe/audit-log.ts';
export type { FaultEvent } from './observe/events.ts';
export type { Finding } from './kernel/finding.ts';
export type { CampusKeys, Jwk } from './core/keys/keys.ts';
export type { CampusOptions } from './options/options.ts';
export type { PagesOptions } from './pages/kit/options.ts';
export type { TextKey } from './i18n/texts.ts';
export type { TextOverrides } from './i18n/translations.ts';
export type { ChoosableScope, ScopeOptions } from './options/scopes.ts';
export { scopeCatalogue, type Scope, type ScopeRow, type StandardScope } from './core/scopes/scopes.ts';
