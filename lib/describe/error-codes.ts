/** A header that comes with an error: its name among the components of `/openapi.json`. */
export type ErrorHeader = 'Challenge' | 'BasicChallenge' | 'RetryAfter' | 'Allow';

/** An error code in one of the ways in which it comes, as the documents explain it. */
export interface ErrorCode {
  readonly error: string;
  /** HTTP status as JSON; absent where it comes at the redirect URI alone. */
  readonly status?: number;
  /** Set when the authorization endpoint sends it to the redirect URI. */
  readonly redirected?: true;
  /** What comes with the status. */
  readonly header?: ErrorHeader;
  /** When the header is there, if not always; follows "Only". */
  readonly headerWhen?: string;
  /** When it is answered; begins in lower case. */
  readonly when: string;
  /** What a client does about it. */
  readonly remedy: string;
}

/**
 * Every error code of the service; one that comes with several statuses has a row for each. Specification: Errors; RFC
 * 6749 sections 4.1.2.1 and 5.2, RFC 6750, 7591, 8707; OpenID Connect Core section 3.1.2.6.
 */
export const errorCodes = [
  {
    error: 'invalid_request',
    status: 400,
    redirected: true,
    when: 'the request is malformed or of another content type, repeats a parameter or lacks one',
    remedy: 'Correct the request; `error_description` names the parameter.',
  },
  {
    error: 'invalid_request',
    status: 405,
    header: 'Allow',
    when: 'the method is not possible at this address',
    remedy: 'Use one of those that `Allow` names.',
  },
  {
    error: 'invalid_request',
    status: 413,
    when: 'the body is too large',
    remedy: 'Send less; `error_description` says how much it may be.',
  },
  {
    error: 'invalid_client',
    status: 401,
    header: 'BasicChallenge',
    headerWhen: 'to a request with HTTP Basic, which is not supported',
    when: 'the client is not known at this school, or did not prove who it is as it must',
    remedy: 'Check `client_id`, and `client_secret` if the client has one; register again if it is gone.',
  },
  {
    error: 'invalid_grant',
    status: 400,
    when: 'the code or refresh token is unknown, expired, used, revoked or another client’s; also a code without its `code_verifier`, or with another `code_verifier` or `redirect_uri`',
    remedy:
      'Where `error_description` names a parameter, correct it; otherwise start a new authorization request. Keep only the newest refresh token.',
  },
  {
    error: 'invalid_scope',
    status: 400,
    redirected: true,
    when: 'a scope is unknown, or this client may not ask for it, as `account:read` for a client that registered itself',
    remedy: 'Ask for less; the table of scopes says for whom each is.',
  },
  {
    error: 'invalid_target',
    status: 400,
    redirected: true,
    when: '`resource` is not this origin, or a member client sent none',
    remedy: 'Send the `resource` of the protected-resource metadata, at authorization and at the token endpoint.',
  },
  {
    error: 'unsupported_grant_type',
    status: 400,
    when: '`grant_type` is neither `authorization_code` nor `refresh_token`',
    remedy: 'Use one of the two.',
  },
  {
    error: 'unsupported_response_type',
    redirected: true,
    when: '`response_type` is not `code`; where it has `token` or `id_token`, this comes in the fragment, not in the query',
    remedy: 'Send `response_type=code`.',
  },
  {
    error: 'unsupported_response_mode',
    redirected: true,
    when: '`response_mode` is not `query`',
    remedy: 'Leave it out: answers come in the query.',
  },
  {
    error: 'request_not_supported',
    redirected: true,
    when: 'the parameters were sent in a request object, as `request`',
    remedy: 'Send the parameters themselves.',
  },
  {
    error: 'request_uri_not_supported',
    redirected: true,
    when: 'the parameters were to be fetched from `request_uri`',
    remedy: 'Send the parameters themselves.',
  },
  {
    error: 'registration_not_supported',
    redirected: true,
    when: 'the request brought client metadata, as `registration`',
    remedy: 'Get a `client_id` first, in one of the ways that the guide names.',
  },
  {
    error: 'login_required',
    redirected: true,
    when: '`prompt=none` was sent and nobody is signed in',
    remedy: 'Send the person again, without `prompt=none`.',
  },
  {
    error: 'consent_required',
    redirected: true,
    when: '`prompt=none` was sent and the person has to be asked',
    remedy: 'Send the person again, without `prompt=none`.',
  },
  {
    error: 'access_denied',
    redirected: true,
    when: 'the person or the school said no',
    remedy: 'Respect it. Do not ask again at once.',
  },
  {
    error: 'access_denied',
    status: 403,
    when: 'the tool endpoint was called by a script of an origin that may not',
    remedy: 'Call it from a server, or ask the platform to add the origin to its list.',
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
    header: 'Challenge',
    when: 'the access token is missing, malformed, unknown, expired, revoked or another origin’s',
    remedy: 'Refresh it; if that fails, authorize again, with the `scope` that `WWW-Authenticate` names, if any.',
  },
  {
    error: 'insufficient_scope',
    status: 403,
    header: 'Challenge',
    when: 'the access token is good and lacks a scope',
    remedy: 'Authorize again with the scopes that `WWW-Authenticate` names, together with those that you have.',
  },
  {
    error: 'slow_down',
    status: 429,
    header: 'RetryAfter',
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
    header: 'RetryAfter',
    when: 'no verdict could be reached; it says nothing about the token or the client',
    remedy: 'Keep the token, and try again after `Retry-After` seconds.',
  },
] as const;

/** The name of an error code. */
export type ErrorName = (typeof errorCodes)[number]['error'];

/** A row of a code that is answered as JSON. */
export type StatusCode = ErrorCode & { readonly status: number };

/** The row of a code that is answered as JSON, with this status where there are several. */
export function errorCode(error: ErrorName, status?: number): StatusCode {
  const rows: readonly ErrorCode[] = errorCodes;
  const found = rows.filter((row): row is StatusCode => row.error === error && row.status !== undefined);
  const row = status === undefined ? found[0] : found.find((each) => each.status === status);
  if (!row) throw new TypeError(`${error} is not in the table`);
  return row;
}
