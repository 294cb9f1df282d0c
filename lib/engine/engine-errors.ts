import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { Site } from '../host/school-platform.ts';
import { sendError } from '../http/send.ts';
import { errorDescription, InvalidRedirectUri, InvalidRequest, OAuthError, ServerError } from '../kernel/errors.ts';
import { alternatives, type Enabled } from '../core/enabled/enabled.ts';
import { paths } from '../http/paths.ts';
import { type ScopeCatalogue, splitScope } from '../core/scopes/scopes.ts';
import { mergedOf } from '../kernel/merged.ts';
import { ownEntry } from '../kernel/own-entry.ts';
import type { EngineFeature, EngineListener } from './engine-feature.ts';
import { requestOf } from './engine-request.ts';
import { rightForClient, rightForDeveloper } from './right-values.ts';
import type { GrantType } from '../core/enabled/grant-type.ts';

export type ShowError = (ctx: KoaContextWithOIDC, site: Site, error: OAuthError) => Promise<void>;

export class InteractionEnded extends InvalidRequest {
  constructor() {
    super('this request has already been answered, has timed out, or was started in another browser; start it again');
  }
}

export function toEngineError(error: OAuthError): errors.OIDCProviderError {
  const wrapped = new errors.CustomOIDCProviderError(error.error, errorDescription(error.message));
  return Object.assign(wrapped, {
    status: error.status,
    statusCode: error.status,
    expose: true,
    // A person who has to wait reads so; a client would only send them again.
    allow_redirect: error.status < 500 && error.status !== 429 && !(error instanceof InvalidRedirectUri),
    cause: error,
  });
}

export async function inEngine<T>(callback: () => T | Promise<T>): Promise<T> {
  try {
    return await callback();
  } catch (error) {
    throw error instanceof OAuthError ? toEngineError(error) : error;
  }
}

const moreThanGranted =
  'scope must not exceed what this refresh token was granted; send fewer scopes or none, or start a new authorization request';

/** Texts for the client's developer in place of the engine's. A test reaches each with a request, so an upgrade that changes one fails. */
const grantNotAllowed = 'requested grant type is not allowed for this client';

const clearerTexts: Readonly<Partial<Record<string, string>>> = {
  'authorization code not found': 'this code is unknown, has expired or was revoked; start a new authorization request',
  'authorization code is expired': 'this code has expired; redeem a code as soon as it arrives',
  'authorization code already consumed':
    'this code was used before, so all tokens issued for it are revoked; start a new authorization request',
  'authorization code invalid (referenced account not found)': 'the person has lost access at this school',
  'client mismatch': 'this code or refresh token was issued to another client; send the client_id that received it',
  'code_verifier does not match code_challenge':
    'code_verifier does not match the code_challenge that was sent to the authorization endpoint',
  'code_verifier must be provided': 'code_verifier is missing; send the one that code_challenge was made from',
  'grant not found':
    'the person has disconnected this application, or the consent has expired; start a new authorization request',
  'grant is expired': 'the consent to this application has expired; start a new authorization request',
  'refresh token not found':
    'this refresh token is unknown, has expired or was revoked; start a new authorization request',
  'refresh token is expired': 'this refresh token has expired; start a new authorization request',
  'refresh token already used':
    'this refresh token was used before, so all tokens of its authorization are revoked; authorize again, and refresh only with the newest refresh token',
  'refresh token invalid (referenced account not found)': 'the person has lost access at this school',
  'refresh token missing requested scope': moreThanGranted,
  'refresh token missing requested scopes': moreThanGranted,
  'requested scopes not granted':
    'the person has not allowed all of these scopes yet; send the request again without prompt=none',
  'could not validate id_token_hint':
    'id_token_hint must be an ID token that this school issued to this client; send the newest one, or none',
  'resource indicator is missing, or unknown': 'resource must be the same as in the authorization request',
  [grantNotAllowed]:
    'this client may not use this grant_type; its application at the school lists the grants that it has',
  'no client authentication mechanism provided':
    'client_id is missing; send it in the body, with client_secret if there is one',
  'client not found': 'there is no client with this client_id at this school; check it, or register again',
  'invalid secret provided': 'client_secret is wrong; check it, or rotate it under Developers',
  'client_id mismatch':
    'client_id must be the same in the body and in the Authorization header; correct it, or remove the header: a proxy may have added it',
  'client authentication must only be provided using one mechanism':
    'the client must authenticate in one way; send client_secret in the body or in the Authorization header, which a proxy may have added',
  'invalid authorization header value format':
    'the Authorization header must be Basic with client_id:client_secret in base64; correct it, or leave it out: a proxy may have added it',
  'client_id and client_secret in the authorization header are not properly encoded':
    'client_id and client_secret in the Authorization header must be percent-encoded, each alone, before base64 (RFC 6749 section 2.3.1)',
  'client_secret must be provided in the Authorization header':
    'client_secret is missing in the Authorization header; send client_id:client_secret in base64',
  'Authorization Server policy requires PKCE to be used for this request':
    'code_challenge is missing; send the SHA-256 of code_verifier in base64url, with code_challenge_method=S256',
  'code_challenge must be provided with code_challenge_method':
    'code_challenge is missing; send the SHA-256 of code_verifier in base64url',
  'code_challenge_method must be provided': 'code_challenge_method is missing; send S256',
  'not supported value of code_challenge_method': 'code_challenge_method must be S256',
  'unsupported prompt value requested':
    'prompt must be one of prompt_values_supported in the metadata; correct it, or leave it out',
  'unsupported response_mode requested':
    'response_mode must be one of response_modes_supported in the metadata; correct it, or leave it out',
  'invalid max_age parameter value': 'max_age must be a number of seconds in decimal digits',
};

type Texts = typeof clearerTexts;

/** With those of the grant types that are on. */
export function textsOf(grantTypes: readonly GrantType[]): Texts {
  return { ...clearerTexts, ...mergedOf(grantTypes.map(({ engineTexts }) => engineTexts)) };
}

function clearerText(engineText: string, texts: Texts = clearerTexts): string | undefined {
  return ownEntry(texts, engineText);
}

const mismatch = 'the provided authentication mechanism does not match the registered client authentication method';

/** Those of the endpoints to which clients post, where some depend on what is enabled. */
export function textsFor({ grantTypes, authentication }: Enabled, features: readonly EngineFeature[]): Texts {
  const names = authentication.flatMap(({ name, how }) => (how === undefined ? [] : [name]));
  const own =
    names.length === 1 ? 'sends client_secret in the body (client_secret_post)' : `uses ${alternatives(names)}`;
  return {
    ...textsOf(grantTypes),
    'unsupported grant_type requested': `grant_type must be ${alternatives(grantTypes.map(({ name }) => name))}`,
    ...mergedOf(features.map(({ texts }) => texts)),
    [mismatch]: `a confidential client ${own}; a public client sends none`,
  };
}

/** The engine's detail says more than its description, so it comes first. */
function clearerDescription(error: unknown, textFor: (engineText: string) => string | undefined): string | undefined {
  if (!(error instanceof errors.OIDCProviderError)) return undefined;
  return textFor(error.error_detail ?? '') ?? textFor(error.error_description ?? '');
}

/** The code of an error at an endpoint to which clients post. For a grant type the engine has another one than RFC 6749 section 5.2. */
export function codeOf({ error, error_description: description = '' }: errors.OIDCProviderError): string {
  return description.endsWith(' is not allowed for this client') ? 'unauthorized_client' : error;
}

/** Completes the error in the engine's response: its code and description, and the headers of an error of this package. */
export function errorClarifier(enabled: Enabled, features: readonly EngineFeature[]): EngineListener {
  const texts = textsFor(enabled, features);
  return (ctx, error) => {
    if (error.cause instanceof OAuthError) ctx.set({ ...error.cause.headers });
    const body: unknown = ctx.body;
    if (typeof body !== 'object' || body === null) return;
    const request = requestOf(ctx);
    const ofRequest = (engineText: string): string | undefined =>
      features.flatMap(({ textFor }) => textFor?.(engineText, request) ?? []).at(0) ??
      rightForClient(engineText, request);
    const clearer = clearerDescription(error, (each) => ofRequest(each) ?? clearerText(each, texts));
    const text = clearer ?? ownEntry(unsupported, error.error);
    if (text !== undefined) Object.assign(body, { error: codeOf(error), error_description: errorDescription(text) });
  };
}

export function isReuse({ grantTypes }: Enabled, { error_detail: detail = '' }: errors.OIDCProviderError): boolean {
  return grantTypes.some(({ reused }) => reused === detail);
}

/** Whether a person has not decided yet. */
export function isWaiting({ grantTypes }: Enabled, { error, status }: errors.OIDCProviderError): boolean {
  return status === 400 && grantTypes.some(({ waiting }) => waiting?.includes(error));
}

export function errorRenderer(showError: ShowError, texts: Texts): NonNullable<Configuration['renderError']> {
  return async (ctx, out, error) => {
    const right = await rightForDeveloper(ctx, error);
    const described = right === undefined ? out : { ...out, error_description: errorDescription(right) };
    const oauthError = toOAuthError(described, error, ctx.status, right === undefined ? texts : {});
    if (ctx.path.startsWith(paths.authorize)) await showError(ctx, requestOf(ctx).site, oauthError);
    else sendError(ctx, oauthError);
  };
}

type ErrorOut = Parameters<NonNullable<Configuration['renderError']>>[1];

/** The error of this package, or the engine's in its words. */
export function toOAuthError(out: ErrorOut, error: Error, status: number, texts: Texts): OAuthError {
  if (error.cause instanceof OAuthError) return error.cause;
  if (out.error === 'server_error') return new ServerError(error);
  if (error instanceof errors.SessionNotFound) return new InteractionEnded();
  const clearer = clearerDescription(error, (each) => clearerText(each, texts));
  return new OAuthError(out.error, clearer ?? out.error_description ?? out.error, { status });
}

const unsupported: Readonly<Partial<Record<string, string>>> = {
  request_not_supported: 'request objects are not supported; send the parameters themselves',
  request_uri_not_supported: 'request_uri is not supported; send the parameters themselves',
  registration_not_supported: 'registration in the request is not supported; use the registration endpoint',
};

function scopeDescription(scope: string, { row }: ScopeCatalogue): string {
  const refused = `this client may not ask for ${scope}`;
  if (splitScope(scope).some((each) => row(each)?.audience === 'member')) {
    return `${refused}; only clients that the school makes for its members can have it, with the scope added to them`;
  }
  return `${refused}; ask without it, or have the scope added to the client`;
}

const refusedScope = 'requested scope is not allowed';

/** A clearer text for an error in a redirect; `undefined` if there is none. The engine names the scope in a parameter that RFC 6749 does not have. */
export function redirectText(sent: URLSearchParams, catalogue: ScopeCatalogue): string | undefined {
  const error = sent.get('error') ?? '';
  const described = sent.get('error_description') ?? '';
  if (error !== 'invalid_scope') return ownEntry(unsupported, error) ?? clearerText(described);
  // Any other description is one of ours.
  return described === refusedScope ? scopeDescription(sent.get('scope') ?? '', catalogue) : undefined;
}
