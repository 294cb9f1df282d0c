import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { InvalidRedirectUri, OAuthError } from '../protocol/errors.ts';

/** Our error in the form in which the engine hands it to the client. */
export function toEngineError(error: OAuthError): errors.OIDCProviderError {
  const wrapped = new errors.CustomOIDCProviderError(error.error, error.message);
  return Object.assign(wrapped, {
    status: error.status,
    statusCode: error.status,
    expose: true,
    allow_redirect: error.status < 500 && !(error instanceof InvalidRedirectUri),
    cause: error,
  });
}

/** Runs a callback of the engine; our errors leave it in the engine's form. */
export async function inEngine<T>(callback: () => T | Promise<T>): Promise<T> {
  try {
    return await callback();
  } catch (error) {
    throw error instanceof OAuthError ? toEngineError(error) : error;
  }
}

const moreThanGranted =
  'scope has more than this refresh token was granted; leave scope out or ask for less, and for more start a new authorization request';

/** What the engine's terse details mean to a client's developer, and what to do. */
const advice: Readonly<Partial<Record<string, string>>> = {
  'authorization code not found':
    'this code is unknown or has expired, or what it stood for was revoked; start a new authorization request',
  'authorization code is expired': 'this code has expired; redeem a code as soon as it arrives',
  'authorization code already consumed':
    'this code was used before, so everything issued for it is revoked; start a new authorization request',
  'authorization code redirect_uri mismatch': 'redirect_uri must be the very one of the authorization request',
  'authorization code invalid (referenced account not found)': 'the person has lost access at this school',
  'client mismatch': 'this code or refresh token was issued to another client; send the client_id that received it',
  'code_verifier does not match code_challenge':
    'code_verifier is not the one whose S256 challenge was sent to the authorization endpoint',
  'code_verifier must be provided': 'code_verifier is missing; send the one whose challenge started this authorization',
  'grant not found': 'the person has disconnected this application; start a new authorization request',
  'grant is expired': 'the consent to this application has expired; start a new authorization request',
  'refresh token not found':
    'this refresh token is unknown, has expired or was revoked; start a new authorization request',
  'refresh token is expired': 'this refresh token has expired; start a new authorization request',
  'refresh token already used':
    'this refresh token was used before, so the connection is revoked; start a new authorization request and keep only the newest refresh token',
  'refresh token invalid (referenced account not found)': 'the person has lost access at this school',
  'refresh token missing requested scope': moreThanGranted,
  'refresh token missing requested scopes': moreThanGranted,
  'unsupported grant_type requested': 'grant_type must be authorization_code or refresh_token',
  'requested scopes not granted':
    'the person has not allowed all of these scopes yet; send them again, without prompt=none',
  'could not validate id_token_hint':
    'id_token_hint is no ID token that this school made for this client; send the newest one, or none',
  'resource indicator is missing, or unknown': 'resource must be the one of the authorization request',
  'no client authentication mechanism provided':
    'client_id is missing; send it in the body, with client_secret if there is one',
  'client not found': 'there is no client with this client_id at this school; check it, or register again',
  'invalid secret provided': 'client_secret is wrong; check it, or rotate it under Developers, OAuth applications',
  'the provided authentication mechanism does not match the registered client authentication method':
    'a confidential client sends client_secret in the body (client_secret_post); a public client sends none',
};

/** What to say instead of these words of the engine, where it is in a redirect already; `undefined` when they will do. */
export function adviceOn(words: string): string | undefined {
  return Object.hasOwn(advice, words) ? advice[words] : undefined;
}

/** What to tell a client's developer about an error of the engine; `undefined` when its own words will do. */
export function adviceFor(error: unknown): string | undefined {
  if (!(error instanceof errors.OIDCProviderError)) return undefined;
  return advice[error.error_detail ?? ''] ?? advice[error.error_description ?? ''];
}

/** Completes the error that the engine has just put into the response: its description, and the headers of one of ours. */
export function explain(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  if (error.cause instanceof OAuthError) ctx.set({ ...error.cause.headers });
  const body: unknown = ctx.body;
  const text = adviceFor(error);
  if (text !== undefined && typeof body === 'object' && body !== null) Object.assign(body, { error_description: text });
}
