/** Why an authorization request was refused, as the `reason` of `authorization.refused`. `docs/reference/events.md` describes each. */
export const authorizationRefusals = [
  'no_access',
  'no_operator',
  'policy',
  'scope',
  'needs_approval',
  'client_blocked',
  'client_role',
  'client_not_permitted',
  'secret_ended',
  'unknown_client',
  'redirect_uri_mismatch',
  'pkce_missing',
  'access_denied',
  'assertion_audience',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_authorization_details',
  'invalid_client',
  'invalid_client_metadata',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'login_required',
  'registration_not_supported',
  'request_not_supported',
  'request_uri_not_supported',
  'unauthorized_client',
  'unsupported_response_mode',
  'unsupported_response_type',
  'request_ended',
  'slow_down',
  'user_code_unknown',
  'user_code_used',
] as const;

export type AuthorizationRefusal = (typeof authorizationRefusals)[number];

export function isAuthorizationRefusal(reason: string): reason is AuthorizationRefusal {
  return authorizationRefusals.some((each) => each === reason);
}
