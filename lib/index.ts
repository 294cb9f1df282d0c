export type { Access } from './contracts/access.ts';
export type { AccessDemand } from './bearer/guard.ts';
export { type Campus, createCampus, type Health } from './campus.ts';
export { type ApplicationProblem, InvalidApplication } from './clients/application-input.ts';
export type { Applications } from './clients/applications.ts';
export type { Application, ApplicationInput, IssuedSecret, NewApplication } from './contracts/application.ts';
export type { CatalogueRequest, PublicCatalogue, PublicCourse } from './contracts/catalogue.ts';
export type { ClientAudience, ClientInfo, ClientSource, FixedClient } from './contracts/client.ts';
export type { ConsentPolicy, ConsentRequest, ConsentVerdict } from './contracts/consent.ts';
export type {
  MemberApiLimits,
  MemberApiOptions,
  MemberContext,
  MemberResolver,
  MemberResolvers,
} from './contracts/member-api.ts';
export type {
  DataCall,
  EnrolledCourse,
  EventRegistration,
  Instant,
  MemberData,
  MemberQuestion,
  MemberSchool,
  Notification,
  NotificationSubscription,
  Page,
  PagedQuestion,
  PageRequest,
  Purchase,
  WatchedLecture,
} from './contracts/member-data.ts';
export type { Connection, Connections } from './contracts/connection.ts';
export type { PageTemplate, PageView } from './contracts/page.ts';
export type {
  MaybePromise,
  Member,
  SchoolPlatform,
  SignedIn,
  SignInHint,
  Site,
  SiteColours,
} from './contracts/platform.ts';
export type { JsonObject, JsonValue } from './contracts/json.ts';
export type {
  AdmittedMetadata,
  CheckedDocument,
  MetadataDocumentPolicy,
  RegistrationGuide,
  RegistrationMetadata,
  RegistrationPolicy,
  RegistrationRequest,
  RegistrationVerdict,
} from './contracts/registration.ts';
export type {
  Allowance,
  Entry,
  Found,
  GrantFilter,
  RecordKind,
  RedeemableKind,
  Redemption,
  RedemptionOutcome,
  Store,
} from './contracts/store.ts';
export type {
  JsonSchema,
  StandardIssue,
  StandardResult,
  StandardSchema,
  Tool,
  ToolAccess,
  ToolActions,
  ToolAnnotations,
  ToolAnswer,
  ToolCall,
  ToolContent,
  ToolResult,
  ToolScopes,
} from './contracts/tools.ts';
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
} from './errors.ts';
export type { AuditEvent, CampusEmitter, CampusEvents, FaultEvent } from './events.ts';
export type { CampusKeys, Jwk } from './keys.ts';
export type { DocumentTesting } from './documents/fetcher.ts';
export type { HourlyLimit, Limits, MemberLimit } from './limits.ts';
export {
  builtInTools,
  listCourses,
  markNotificationRead,
  myCourses,
  myNotifications,
  myPurchases,
  type PageArguments,
  type PurchaseArguments,
  type PurchaseData,
  schoolInfo,
  searchCourses,
} from './mcp/built-in/index.ts';
export { defineTool } from './mcp/define-tool.ts';
export type { CampusOptions, Lifetimes } from './options.ts';
export type { PagesOptions } from './page-options.ts';
export type { TextKey, Texts } from './texts/texts.ts';
export type { TextOverrides } from './texts/words.ts';
export type { RegistrationExplanation } from './registration/explain.ts';
export type { RegistrationAnswer } from './registration/route.ts';
export { catalogue, type Scope, type ScopeAccess, type ScopeRow } from './scopes.ts';
export type { McpOptions } from './tool-options.ts';
