import type { HeaderName } from './response-headers.ts';

export interface ErrorCode {
  readonly error: string;
  /** HTTP status of the JSON response; absent if the error is only sent to the redirect URI. */
  readonly status?: number;
  /** Set when it is sent only if a feature is on that lets clients in. */
  readonly isOfClients?: boolean;
  /** Set when the authorization endpoint sends it to the redirect URI. */
  readonly redirected?: boolean;
  readonly header?: HeaderName;
  /** When the header is present, if not always; completes `Only …`. */
  readonly headerWhen?: string;
  /** When it is returned; starts in lower case. */
  readonly when: string;
  readonly remedy: string;
}

const table = {
  invalid_request: [
    {
      status: 400,
      redirected: true,
      when: 'the request is malformed, has the wrong content type, repeats a parameter, lacks a required one or has one that is too long',
      remedy: 'Correct the request; `error_description` names the parameter.',
    },
    {
      status: 405,
      header: 'Allow',
      when: 'the endpoint does not support the method',
      remedy: 'Use a method that `Allow` lists.',
    },
    {
      status: 413,
      when: 'the body is too large',
      remedy: 'Send a smaller body; `error_description` states the limit.',
    },
  ],
  invalid_client: {
    status: 401,
    header: 'BasicChallenge',
    headerWhen: 'in response to HTTP Basic, which is not supported',
    when: 'the client is unknown at this school, or client authentication failed',
    remedy:
      'Check `client_id`, and `client_secret` if the client has one. If the registration has expired, register again.',
  },
  invalid_grant: {
    status: 400,
    when: 'the code or refresh token is unknown, expired, used, revoked or issued to another client, or `code_verifier` or `redirect_uri` does not match the authorization request',
    remedy:
      'If `error_description` names a parameter, correct it; otherwise start a new authorization request. Store only the newest refresh token.',
  },
  invalid_scope: {
    status: 400,
    redirected: true,
    when: 'a scope is unknown, or this client may not request it, for example a scope for member clients if the client registered itself',
    remedy: 'Request fewer scopes; the scope table shows which clients may request each scope.',
  },
  invalid_target: {
    status: 400,
    redirected: true,
    when: '`resource` is neither this origin nor one of its protected resources, or a member client did not send it',
    remedy:
      'Send the `resource` from the protected-resource metadata, at the authorization endpoint and at the token endpoint.',
  },
  unauthorized_client: {
    status: 400,
    when: 'the client may not use this grant type, for example because it is only for services',
    remedy: 'Use another grant type, or a client that may use this grant type.',
  },
  unsupported_grant_type: {
    status: 400,
    when: '`grant_type` is neither `authorization_code` nor `refresh_token`',
    remedy: 'Use one of these two grant types.',
  },
  unsupported_response_type: {
    when: '`response_type` is not `code`. If it contains `token` or `id_token`, the error is in the fragment of the redirect URI, not in the query',
    remedy: 'Send `response_type=code`.',
  },
  unsupported_response_mode: { when: '`response_mode` is not `query`', remedy: 'Omit it: responses are in the query.' },
  request_not_supported: {
    when: 'the request passes its parameters in a request object (`request`)',
    remedy: 'Send the parameters themselves.',
  },
  request_uri_not_supported: {
    when: 'the request passes its parameters by reference (`request_uri`)',
    remedy: 'Send the parameters themselves.',
  },
  registration_not_supported: {
    when: 'the request contains client metadata (`registration`)',
    remedy: 'Get a `client_id` first, in one of the ways that the guide describes.',
  },
  login_required: {
    when: '`prompt=none` was sent and no one is signed in. Or `id_token_hint` has a removed key, is older than a move of the school, or names another person than the one who signed in',
    remedy: 'Send the person to the authorization endpoint again, without `prompt=none` and `id_token_hint`.',
  },
  consent_required: {
    when: '`prompt=none` was sent and the person must be asked for consent',
    remedy: 'Send the person to the authorization endpoint again, without `prompt=none`.',
  },
  access_denied: [
    {
      when: 'the person or the school denied the request',
      remedy: 'Accept the decision; do not ask again immediately.',
    },
    {
      status: 403,
      when: 'the tool endpoint was called by a script from an origin that is not allowed',
      remedy: 'Call it from a server, or ask the platform to allow the origin.',
    },
  ],
  invalid_client_metadata: {
    status: 400,
    isOfClients: true,
    when: 'metadata is invalid, `client_name` matches no known integration, or the metadata document is blocked by the school or on a host that is not permitted',
    remedy: 'Correct the metadata; `error_description` states what is wrong.',
  },
  invalid_redirect_uri: {
    status: 400,
    isOfClients: true,
    when: 'registration: a redirect URI is not allowed, such as a fixed `https:` callback',
    remedy: 'Register loopback addresses, or ask the school to register the integration.',
  },
  invalid_token: {
    status: 401,
    header: 'Challenge',
    when: 'the access token is missing, malformed, unknown, expired, revoked or issued for another origin',
    remedy: 'Refresh it. If that fails, authorize again, with the `scope` from `WWW-Authenticate` if it has one.',
  },
  insufficient_scope: {
    status: 403,
    header: 'Challenge',
    when: 'the access token is valid but lacks a scope',
    remedy:
      'Authorize again with all scopes from `WWW-Authenticate`: it repeats the scopes of the token and adds the missing ones.',
  },
  slow_down: {
    status: 429,
    header: 'RetryAfter',
    when: 'there were too many requests',
    remedy: 'Wait for `Retry-After` seconds.',
  },
  server_error: {
    status: 500,
    when: 'the service failed unexpectedly',
    remedy: 'Try again; if the error persists, contact the school.',
  },
  temporarily_unavailable: {
    status: 503,
    header: 'RetryAfter',
    when: 'the service could not process the request; this says nothing about the token or the client',
    remedy: 'Keep the token and try again after `Retry-After` seconds.',
  },
} as const;

type Row = Omit<ErrorCode, 'error'>;
const rowsByError: Readonly<Record<string, Row | readonly Row[]>> = table;

/**
 * Every error code of the service, with one row for each status. Specification: Errors; RFC 6749 sections 4.1.2.1 and 5.2,
 * RFC 6750, 7591, 8707; OpenID Connect Core section 3.1.2.6.
 */
export const errorCodes: readonly ErrorCode[] = Object.entries(rowsByError).flatMap(([error, rows]) =>
  [rows].flat().map((row) => ({ error, redirected: row.status === undefined, ...row })),
);

export type ErrorName = keyof typeof table;

export type StatusCode = ErrorCode & { readonly status: number };

/** The row of a code that is returned as JSON; the first one if no status is given. */
export function errorCode(error: ErrorName, status?: number): StatusCode {
  const row = errorCodes.find(
    (each): each is StatusCode =>
      each.error === error && each.status !== undefined && each.status === (status ?? each.status),
  );
  if (!row) throw new TypeError(`errorCodes has no JSON response for ${error} ${status ?? ''}`);
  return row;
}
