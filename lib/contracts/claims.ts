import type { JsonValue } from './json.ts';
import type { MaybePromise, Member, Site } from './platform.ts';

/** The input of `claims`. */
export interface ClaimsRequest {
  /** The site that the claims are about. */
  readonly site: Site;
  /** The person that they are about. */
  readonly member: Member;
  /** The scopes of the access token that is used at UserInfo or issued with the ID token. */
  readonly scopes: readonly string[];
}

/**
 * Returns claims of the host, for UserInfo and the ID token alike. It is called for each of them, and only if the scope
 * `openid` was granted.
 *
 * A name must be namespaced, that is, contain `:` or `/`: `https://school.example/plan`, `harbour:plan`. No registered claim
 * does, so none can be overwritten (RFC 7519 section 4.2). There may be at most 50 claims, of at most 4,096 bytes of JSON
 * together. A claim of `undefined` or `null` is left out. Anything else that is wrong, an error, or no result within 10
 * seconds is a fault (503): there are never tokens without the claims.
 */
export type HostClaims = (
  request: ClaimsRequest,
) => MaybePromise<Readonly<Record<string, JsonValue | undefined>> | null | undefined>;
