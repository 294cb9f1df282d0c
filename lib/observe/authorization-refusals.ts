/** The `reason` of `authorization.refused`. `docs/reference/events.md` describes each. */
export const authorizationRefusals = [
  /** The person has no role at the school, or has lost it. */
  'no_access',
  /** The app acts for operators, but the person is not an operator. */
  'no_operator',
  /** Your access policies removed every requested scope. */
  'policy',
  /** The rules of the school or the platform do not allow any requested scope. */
  'scope',
  /** The app requests only scopes that still need an administrator's approval. */
  'needs_approval',
  /** A rule of the school or the platform blocks the app. */
  'client_blocked',
  /** Only people with other roles may connect the app. */
  'client_role',
  /** The client is not permitted at this school. */
  'client_not_permitted',
  /** The client's secret is no longer valid. */
  'secret_ended',
  /** The `client_id` is unknown: see `claimed`. */
  'unknown_client',
  /** The client does not have this `redirect_uri`: see `claimed`. */
  'redirect_uri_mismatch',
  /** `code_challenge` or its method is missing. */
  'pkce_missing',
  /** Another reason, for example a sign-in that ended without a person. */
  'access_denied',
  /** The client's assertion names another audience: see `claimed`. */
  'assertion_audience',
  /** The request has `prompt=none`, but the person has to choose an account. */
  'account_selection_required',
  /** The request has `prompt=none`, but the person has to consent. */
  'consent_required',
  /** The request has `prompt=none`, but the person has to act. */
  'interaction_required',
  /** `authorization_details` has an unknown type, or a wrong form. */
  'invalid_authorization_details',
  /** The client could not be authenticated. */
  'invalid_client',
  /** The client's metadata document cannot be used. */
  'invalid_client_metadata',
  /** A parameter is wrong or missing. */
  'invalid_request',
  /** A scope does not exist, or the client may not have it. */
  'invalid_scope',
  /** `resource` is missing or is not this school. */
  'invalid_target',
  /** The request has `prompt=none` or `id_token_hint`, but the person that it means is not signed in. */
  'login_required',
  /** The request has the parameter `registration`. */
  'registration_not_supported',
  /** The request has a request object. */
  'request_not_supported',
  /** The request has the parameter `request_uri`. */
  'request_uri_not_supported',
  /** The client may not use this grant type. */
  'unauthorized_client',
  /** The `response_mode` is not offered. */
  'unsupported_response_mode',
  /** The `response_type` is not `code`. */
  'unsupported_response_type',
  /** The request is already decided, has timed out, or was started in another browser. */
  'request_ended',
  /** A rate limit was reached. */
  'slow_down',
  /** The user code of a device does not exist or has expired. */
  'user_code_unknown',
  /** The user code of a device was already used. */
  'user_code_used',
] as const;

export type AuthorizationRefusal = (typeof authorizationRefusals)[number];

export function isAuthorizationRefusal(reason: string): reason is AuthorizationRefusal {
  return authorizationRefusals.some((each) => each === reason);
}
