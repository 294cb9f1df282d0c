export type { Access } from './bearer/access.ts';
export type { AccessDemand } from './bearer/guard.ts';
export { type Campus, createCampus } from './campus.ts';
export type { ClientAudience, ClientInfo, FixedClient } from './contracts/client.ts';
export type { ConsentPolicy, ConsentRequest, ConsentVerdict } from './contracts/consent.ts';
export type { MaybePromise, Member, SchoolPlatform, SignedIn, SignInHint, Site } from './contracts/platform.ts';
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
export type { CampusOptions, Lifetimes } from './options.ts';
export { catalogue, type Scope, type ScopeAccess, type ScopeRow } from './scopes.ts';
