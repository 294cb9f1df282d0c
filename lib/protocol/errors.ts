/** The JSON body of an error. RFC 6749 section 5.2. */
export interface OAuthErrorBody {
  readonly error: string;
  readonly error_description: string;
}

/** What an `OAuthError` can carry besides its code and description. */
export interface OAuthErrorOptions {
  /** HTTP status. @default 400 */
  readonly status?: number;
  /** Response headers that belong to this error. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What led to it; for logs, never sent. */
  readonly cause?: unknown;
}

/**
 * An error with a wire form: `message` is the `error_description`, so write it for the client's developer.
 * A policy throws one to refuse. Specification: Errors; RFC 6749 section 5.2.
 */
export class OAuthError extends Error {
  override readonly name: string = 'OAuthError';
  /** The error code, for example `invalid_grant`. */
  readonly error: string;
  /** HTTP status. */
  readonly status: number;
  /** Response headers that belong to this error. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: string, description: string, options: OAuthErrorOptions = {}) {
    super(description, options.cause === undefined ? undefined : { cause: options.cause });
    this.error = error;
    this.status = options.status ?? 400;
    this.headers = options.headers ?? {};
  }

  /** The wire form. */
  toJSON(): OAuthErrorBody {
    return { error: this.error, error_description: this.message };
  }
}

/** The request is malformed, repeats a parameter or lacks one. */
export class InvalidRequest extends OAuthError {
  override readonly name = 'InvalidRequest';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_request', description, options);
  }
}

/** Client authentication failed, or the client is unknown. */
export class InvalidClient extends OAuthError {
  override readonly name = 'InvalidClient';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_client', description, { status: 401, ...options });
  }
}

/** The code or refresh token is invalid, expired, used, revoked or another client's. */
export class InvalidGrant extends OAuthError {
  override readonly name = 'InvalidGrant';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_grant', description, options);
  }
}

/** A scope is unknown, or this client may not ask for it. */
export class InvalidScope extends OAuthError {
  override readonly name = 'InvalidScope';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_scope', description, options);
  }
}

/** The `resource` is missing or is not this site's origin. RFC 8707 section 2. */
export class InvalidTarget extends OAuthError {
  override readonly name = 'InvalidTarget';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_target', description, options);
  }
}

/** Registration refused: the metadata itself. RFC 7591 section 3.2.2. */
export class InvalidClientMetadata extends OAuthError {
  override readonly name = 'InvalidClientMetadata';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_client_metadata', description, options);
  }
}

/** Registration refused: a redirect URI. RFC 7591 section 3.2.2. */
export class InvalidRedirectUri extends OAuthError {
  override readonly name = 'InvalidRedirectUri';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_redirect_uri', description, options);
  }
}

/** The person, or a policy, said no. */
export class AccessDenied extends OAuthError {
  override readonly name = 'AccessDenied';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('access_denied', description, options);
  }
}

/** The access token is missing, malformed, unknown, expired, revoked or another origin's. RFC 6750 section 3.1. */
export class InvalidToken extends OAuthError {
  override readonly name = 'InvalidToken';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_token', description, { status: 401, ...options });
  }
}

/** The access token is good, but lacks a scope. RFC 6750 section 3.1. */
export class InsufficientScope extends OAuthError {
  override readonly name = 'InsufficientScope';
  /** Every scope that the call needs. */
  readonly scopes: readonly string[];
  constructor(description: string, scopes: readonly string[], options?: OAuthErrorOptions) {
    super('insufficient_scope', description, { status: 403, ...options });
    this.scopes = scopes;
  }
}

/** Something went wrong that nobody foresaw. The cause is for logs; the caller reads a fixed text. */
export class ServerError extends OAuthError {
  override readonly name = 'ServerError';
  constructor(cause?: unknown) {
    super('server_error', 'something went wrong on our side; try again, and tell the school if it stays', {
      status: 500,
      cause,
    });
  }
}

/**
 * No verdict could be reached: a store or the platform did not answer. Never a statement about the token or the client.
 * Specification: Errors, the 503 row.
 */
export class TemporarilyUnavailable extends OAuthError {
  override readonly name = 'TemporarilyUnavailable';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('temporarily_unavailable', description, {
      status: 503,
      ...options,
      headers: { 'Retry-After': '1', ...options?.headers },
    });
  }
}
