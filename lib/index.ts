export type { Access } from './contracts/access.ts';
export type { AccessDemand } from './bearer/guard.ts';
export { type Campus, createCampus, type Health } from './campus.ts';
export { type ApplicationProblem, InvalidApplication } from './clients/application-input.ts';
export type { Applications } from './clients/applications.ts';
export type { Application, ApplicationInput, IssuedSecret, NewApplication } from './contracts/application.ts';
export type { ClientAudience, ClientInfo, FixedClient } from './contracts/client.ts';
export type { ConsentPolicy, ConsentRequest, ConsentVerdict } from './contracts/consent.ts';
export type { MaybePromise, Member, SchoolPlatform, SignedIn, SignInHint, Site } from './contracts/platform.ts';
export type { JsonObject, JsonValue } from './contracts/json.ts';
export type {
  AdmittedMetadata,
  CheckedDocument,
  MetadataDocumentPolicy,
  RegistrationMetadata,
  RegistrationPolicy,
  RegistrationRequest,
  RegistrationVerdict,
} from './contracts/registration.ts';
export type {
  Count,
  Entry,
  Found,
  GrantFilter,
  RecordKind,
  RedeemableKind,
  Redemption,
  RedemptionOutcome,
  Store,
} from './contracts/store.ts';
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
export type { CampusEmitter, CampusEvents, FaultEvent } from './events.ts';
export type { CampusKeys, Jwk } from './keys.ts';
export type { DocumentTesting } from './documents/fetcher.ts';
export type { HourlyLimit, Limits } from './limits.ts';
export type { CampusOptions, Lifetimes } from './options.ts';
export type { RegistrationExplanation } from './registration/explain.ts';
export type { RegistrationAnswer } from './registration/route.ts';
export { catalogue, type Scope, type ScopeAccess, type ScopeRow } from './scopes.ts';
