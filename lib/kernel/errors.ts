/** The JSON body of an error. RFC 6749 section 5.2. */
export interface OAuthErrorBody {
  readonly error: string;
  readonly error_description: string;
}

/** How `error_description` writes what it cannot have. */
const plain: Readonly<Partial<Record<string, string>>> = {
  '"': "'",
  '\\': '/',
  '‘': "'",
  '’': "'",
  '“': "'",
  '”': "'",
  '–': '-',
  '—': '-',
  '…': '...',
};

/**
 * A text as an `error_description`, which has printable ASCII without `"` and `\`: texts of the host, and what they quote of a request,
 * can have any character. What ASCII has nothing for becomes one `?`. RFC 6749 section 5.2.
 */
export function errorDescription(text: string): string {
  return text.replace(/["\\\s‘’“”–—…]|[^ -~]+/g, (found) => plain[found] ?? (found.trim() === '' ? ' ' : '?'));
}

/** Options of an `OAuthError`. */
export interface OAuthErrorOptions {
  /** HTTP status. @default 400 */
  readonly status?: number;
  /** Response headers that are sent with this error. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** The cause, for logs. It is never sent. */
  readonly cause?: unknown;
}

/**
 * An error that is sent to the client. `message` is the `error_description`, so write it for the client's developer, in ASCII: other characters are
 * replaced in the response.
 * A policy throws one to refuse a request. Specification: Errors; RFC 6749 section 5.2.
 */
export class OAuthError extends Error {
  override readonly name: string = 'OAuthError';
  /** The error code, for example `invalid_grant`. */
  readonly error: string;
  /** HTTP status. */
  readonly status: number;
  /** Response headers that are sent with this error. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: string, description: string, options: OAuthErrorOptions = {}) {
    super(description, options.cause === undefined ? undefined : { cause: options.cause });
    this.error = error;
    this.status = options.status ?? 400;
    this.headers = options.headers ?? {};
  }

  /** The JSON body of the response. */
  toJSON(): OAuthErrorBody {
    return { error: this.error, error_description: errorDescription(this.message) };
  }
}

/** `invalid_request`, status 400: the request is malformed, repeats a parameter or lacks one. RFC 6749 section 5.2. */
export class InvalidRequest extends OAuthError {
  override readonly name = 'InvalidRequest';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_request', description, options);
  }
}

/** `invalid_client`, status 401: client authentication failed, or the client is unknown. RFC 6749 section 5.2. */
export class InvalidClient extends OAuthError {
  override readonly name = 'InvalidClient';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_client', description, { status: 401, ...options });
  }
}

/**
 * `invalid_grant`, status 400: the code or refresh token is invalid, expired, used, revoked or issued to another client.
 * RFC 6749 section 5.2.
 */
export class InvalidGrant extends OAuthError {
  override readonly name = 'InvalidGrant';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_grant', description, options);
  }
}

/** `invalid_scope`, status 400: a scope is unknown, or this client may not request it. RFC 6749 section 5.2. */
export class InvalidScope extends OAuthError {
  override readonly name = 'InvalidScope';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_scope', description, options);
  }
}

/** `invalid_target`, status 400: `resource` is missing or is not a resource of this school. RFC 8707 section 2. */
export class InvalidTarget extends OAuthError {
  override readonly name = 'InvalidTarget';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_target', description, options);
  }
}

/** `invalid_client_metadata`, status 400: the client metadata is refused. RFC 7591 section 3.2.2. */
export class InvalidClientMetadata extends OAuthError {
  override readonly name = 'InvalidClientMetadata';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_client_metadata', description, options);
  }
}

/** `invalid_redirect_uri`, status 400: a redirect URI is refused. RFC 7591 section 3.2.2. */
export class InvalidRedirectUri extends OAuthError {
  override readonly name = 'InvalidRedirectUri';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_redirect_uri', description, options);
  }
}

/** `access_denied`, status 400: the person or a policy denied the request. RFC 6749 section 4.1.2.1. */
export class AccessDenied extends OAuthError {
  override readonly name = 'AccessDenied';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('access_denied', description, options);
  }
}

/**
 * `invalid_token`, status 401: the access token is missing, malformed, unknown, expired, revoked or issued for another
 * origin. RFC 6750 section 3.1.
 */
export class InvalidToken extends OAuthError {
  override readonly name = 'InvalidToken';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_token', description, { status: 401, ...options });
  }
}

/** Parameters of an authorization request. */
export interface NeededAuthentication {
  readonly acr_values?: string;
  readonly max_age?: string;
}

/** `insufficient_user_authentication`, status 401: the person has to sign in again, or more strongly. RFC 9470 section 3. */
export class InsufficientUserAuthentication extends OAuthError {
  override readonly name = 'InsufficientUserAuthentication';
  /** What to send to the authorization endpoint. */
  readonly needed: NeededAuthentication;
  constructor(description: string, needed: NeededAuthentication, options?: OAuthErrorOptions) {
    super('insufficient_user_authentication', description, { status: 401, ...options });
    this.needed = needed;
  }
}

/** `insufficient_scope`, status 403: the access token is valid but lacks a scope. RFC 6750 section 3.1. */
export class InsufficientScope extends OAuthError {
  override readonly name = 'InsufficientScope';
  /** The scopes to request: the scopes of the token and the scopes that the call requires. */
  readonly scopes: readonly string[];
  constructor(description: string, scopes: readonly string[], options?: OAuthErrorOptions) {
    super('insufficient_scope', description, { status: 403, ...options });
    this.scopes = scopes;
  }
}

/** `server_error`, status 500: an unexpected failure. The client gets a fixed text, and the cause is for logs. */
export class ServerError extends OAuthError {
  override readonly name = 'ServerError';
  constructor(cause?: unknown) {
    super('server_error', 'the service failed unexpectedly; try again, and contact the school if the error persists', {
      status: 500,
      cause,
    });
  }
}

/**
 * `temporarily_unavailable`, status 503 with `Retry-After: 1`: the store or the platform failed, so the request could not be decided. It is
 * not a refusal of the token or the client. Specification: Errors, the 503 row.
 */
export class TemporarilyUnavailable extends OAuthError {
  override readonly name = 'TemporarilyUnavailable';
  /** The host of a metadata document, if that did not respond. */
  readonly host: string | undefined;
  constructor(
    description: string,
    { host, ...options }: OAuthErrorOptions & { readonly host?: string | undefined } = {},
  ) {
    super('temporarily_unavailable', description, {
      status: 503,
      ...options,
      headers: { 'Retry-After': '1', ...options.headers },
    });
    this.host = host;
  }
}
