/** Why an authorization request was refused, as the `reason` of `authorization.refused`. `docs/reference/events.md` describes each. */
export const authorizationRefusals = [
  /** The person has no role at the school, or has lost it. */
  'no_access',
  /** The app acts for operators, and the person is none. */
  'no_operator',
  /** A policy of the platform leaves nothing. */
  'policy',
  /** The rules of the school or the platform leave nothing of what was asked for. */
  'scope',
  /** It asks only for what an administrator has not approved. */
  'needs_approval',
  /** A rule of the school or the platform blocks it. */
  'client_blocked',
  /** A rule lets only people with other roles connect it. */
  'client_role',
  /** It is not permitted at this school. */
  'client_not_permitted',
  /** Its secret is no longer valid. */
  'secret_ended',
  /** No client has the `client_id`: see `claimed`. */
  'unknown_client',
  /** The `redirect_uri` is not one of the client’s: see `claimed`. */
  'redirect_uri_mismatch',
  /** `code_challenge` or its method is missing. */
  'pkce_missing',
  /** Another reason, for example a sign-in that ended without a person. */
  'access_denied',
  /** The assertion of the client is for somebody else: see `claimed`. */
  'assertion_audience',
  /** `prompt=none`, and the person has to choose an account. */
  'account_selection_required',
  /** `prompt=none`, and the person has to consent. */
  'consent_required',
  /** `prompt=none`, and the person is needed. */
  'interaction_required',
  /** The app asks for a limit of an unknown type, or in another form. */
  'invalid_authorization_details',
  /** The client could not be authenticated. */
  'invalid_client',
  /** Its metadata document cannot be used. */
  'invalid_client_metadata',
  /** A parameter is wrong or missing. */
  'invalid_request',
  /** A scope does not exist, or the client may not have it. */
  'invalid_scope',
  /** `resource` is missing or is not this school. */
  'invalid_target',
  /** `prompt=none` or `id_token_hint`, and nobody, or nobody who is surely meant, is signed in. */
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
  /** The request was decided before, has timed out, or was started in another browser. */
  'request_ended',
  /** A limit was reached. */
  'slow_down',
  /** The code of a device does not exist or has expired. */
  'user_code_unknown',
  /** The code of a device was used before. */
  'user_code_used',
] as const;

export type AuthorizationRefusal = (typeof authorizationRefusals)[number];

export function isAuthorizationRefusal(reason: string): reason is AuthorizationRefusal {
  return authorizationRefusals.some((each) => each === reason);
}
