/** An error code, as the documents explain it. */
export interface ErrorCode {
  readonly error: string;
  /** HTTP status where it is answered as JSON. */
  readonly status: number;
  /** When it is answered; begins in lower case. */
  readonly when: string;
  /** What a client does about it. */
  readonly remedy: string;
}

/** Every error code of the service. Specification: Errors; RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750, 7591, 8707. */
export const errorCodes = [
  {
    error: 'invalid_request',
    status: 400,
    when: 'the request is malformed, repeats a parameter or lacks one',
    remedy: 'Correct the request; `error_description` names the parameter.',
  },
  {
    error: 'invalid_client',
    status: 401,
    when: 'the client is not known at this school, or did not prove who it is as it must',
    remedy: 'Check `client_id`, and `client_secret` if the client has one; register again if it is gone.',
  },
  {
    error: 'invalid_grant',
    status: 400,
    when: 'the code or refresh token is unknown, expired, used, revoked or another client’s',
    remedy: 'Start a new authorization request. Keep only the newest refresh token.',
  },
  {
    error: 'invalid_scope',
    status: 400,
    when: 'a scope is unknown, or this client may not ask for it, as `account:read` for a client that registered itself',
    remedy: 'Ask for less; the table of scopes says for whom each is.',
  },
  {
    error: 'invalid_target',
    status: 400,
    when: '`resource` is not this origin, or a member client sent none',
    remedy: 'Send the `resource` of the protected-resource metadata, at authorization and at the token endpoint.',
  },
  {
    error: 'unauthorized_client',
    status: 400,
    when: 'the client may not use this grant or response type',
    remedy: 'Use the authorization code flow.',
  },
  {
    error: 'unsupported_grant_type',
    status: 400,
    when: '`grant_type` is neither `authorization_code` nor `refresh_token`',
    remedy: 'Use one of the two.',
  },
  {
    error: 'unsupported_response_type',
    status: 400,
    when: '`response_type` is not `code`',
    remedy: 'Send `response_type=code`.',
  },
  {
    error: 'login_required',
    status: 400,
    when: '`prompt=none` was sent and nobody is signed in',
    remedy: 'Send the person again, without `prompt=none`.',
  },
  {
    error: 'consent_required',
    status: 400,
    when: '`prompt=none` was sent and the person has to be asked',
    remedy: 'Send the person again, without `prompt=none`.',
  },
  {
    error: 'access_denied',
    status: 403,
    when: 'the person or the school said no; at the tool endpoint: a script of another origin called',
    remedy: 'Respect it. Do not ask again at once.',
  },
  {
    error: 'invalid_client_metadata',
    status: 400,
    when: 'registration: `client_name` matches no known integration, or other metadata is not as it must be; also a metadata document whose host is not permitted',
    remedy: 'Correct the metadata; `error_description` names the member.',
  },
  {
    error: 'invalid_redirect_uri',
    status: 400,
    when: 'registration: a redirect URI that is not allowed, as a fixed `https:` callback',
    remedy: 'Register loopback addresses, or have the integration registered by the school.',
  },
  {
    error: 'invalid_token',
    status: 401,
    when: 'the access token is missing, malformed, unknown, expired, revoked or another origin’s',
    remedy: 'Refresh it; if that fails, authorize again, with the `scope` that `WWW-Authenticate` names.',
  },
  {
    error: 'insufficient_scope',
    status: 403,
    when: 'the access token is good and lacks a scope',
    remedy: 'Authorize again with the scopes that `WWW-Authenticate` names, besides those that you have.',
  },
  {
    error: 'slow_down',
    status: 429,
    when: 'there were too many requests',
    remedy: 'Wait as many seconds as `Retry-After` says.',
  },
  {
    error: 'server_error',
    status: 500,
    when: 'something went wrong on our side',
    remedy: 'Try again, and tell the school if it stays.',
  },
  {
    error: 'temporarily_unavailable',
    status: 503,
    when: 'no verdict could be reached; it says nothing about the token or the client',
    remedy: 'Keep the token, and try again after `Retry-After` seconds.',
  },
] as const;

/** The name of an error code. */
export type ErrorName = (typeof errorCodes)[number]['error'];

/** The row of a code. */
export function errorCode(error: ErrorName): ErrorCode {
  const row = errorCodes.find((code) => code.error === error);
  if (!row) throw new TypeError(`${error} is not in the table`);
  return row;
}
