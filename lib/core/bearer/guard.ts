import { parse } from 'node:querystring';
import { paths } from '../../http/paths.ts';
import type { Context } from 'koa';
import {
  type AcceptedTokens,
  type TokenOf,
  type AuthenticationRequirement,
  type ClientAudience,
  type PersonAudience,
  type VerifyToken,
  personAudiences,
} from '../clients/client.ts';
import type { Site } from '../../host/school-platform.ts';
import { addressedOrigin } from '../../http/addressed-origin.ts';
import { withOneSpace } from '../../http/authorization.ts';
import { koaRequest, type ReceivedRequest } from '../../http/received-request.ts';
import type { PlainResponse } from '../../http/plain-response.ts';
import { errorResponse, sendResponse } from '../../http/send.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import {
  errorDescription,
  InsufficientScope,
  InsufficientUserAuthentication,
  InvalidToken,
  type OAuthError,
} from '../../kernel/errors.ts';
import { alternatives } from '../enabled/enabled.ts';
import type { AccessRequirement } from './access-requirement.ts';
import { honouring, unhonouredIn } from './verified-token.ts';

/** Returns the verified token of a request, or `undefined` for an anonymous one where that is allowed. @internal */
export async function verifyBearerToken<A extends ClientAudience = PersonAudience>(
  verify: VerifyToken,
  request: ReceivedRequest,
  site: Site,
  {
    scopes = [],
    anonymous = false,
    whose,
    acr,
    maxAge,
    ...accepted
  }: AccessRequirement<A> & { readonly whose?: string } = {},
): Promise<TokenOf<A> | undefined> {
  const token = bearerToken(request);
  if (token === undefined) {
    if (anonymous) return undefined;
    throw missingToken(whose);
  }
  const verified = accepting(await verify(site, token), accepted);
  requireScopes(verified, scopes);
  requireAuthentication(verified, { acr, maxAge });
  return verified;
}

/** Whether the client of a token is of one of these audiences. */
export function isAccepted<A extends ClientAudience = PersonAudience>(
  token: TokenOf<ClientAudience>,
  { audience = personAudiences }: { readonly audience?: readonly ClientAudience[] | undefined },
): token is TokenOf<A> {
  return audience.includes(token.audience);
}

/**
 * The token as it counts here, with the scopes of the boundaries that are honoured.
 *
 * @throws InsufficientScope without scopes, since none would help
 */
export function accepting<A extends ClientAudience = PersonAudience>(
  token: TokenOf<ClientAudience>,
  accepted: AcceptedTokens<A>,
): TokenOf<A> {
  const here = honouring(token, accepted.honours);
  if (isAccepted<A>(here, accepted)) return here;
  const others = alternatives(accepted.audience ?? personAudiences);
  throw new InsufficientScope(
    `this endpoint must be called with an access token of a client for ${others}, not for ${token.audience}`,
    [],
  );
}

/** `whose` says which tokens the address is made for. */
export function missingToken(whose?: string): InvalidToken {
  const more = whose === undefined ? '' : `; ${whose}`;
  return new InvalidToken(`an access token is needed; send Authorization: Bearer <token>${more}`);
}

/**
 * @throws InsufficientScope that names the scopes of the token and the missing ones: some clients request just these. Without scopes where a
 * limit is not honoured: the person would be asked again and again, and nothing would change
 */
export function requireScopes(token: TokenOf<ClientAudience>, scopes: readonly string[]): void {
  const missing = scopes.filter((scope) => !token.scopes.includes(scope));
  if (missing.length === 0) return;
  const limited = unhonouredIn(token).filter((scope) => missing.includes(scope));
  if (limited.length > 0) {
    throw new InsufficientScope(
      `the person has limited ${limited.join(' and ')}, which this call does not support; use another call, or ask the person to allow all`,
      [],
    );
  }
  const again = missing.length === 1 ? 'it' : 'them';
  throw new InsufficientScope(`the access token lacks ${missing.join(' and ')}; authorize again with ${again}`, [
    ...token.scopes,
    ...missing,
  ]);
}

/** @throws InsufficientUserAuthentication that says what to ask the authorization endpoint for */
export function requireAuthentication(
  { authTime = 0, acr }: TokenOf<ClientAudience>,
  { acr: wanted = [], maxAge }: AuthenticationRequirement,
): void {
  const values = [wanted].flat();
  const isStrong = values.length === 0 || (acr !== undefined && values.includes(acr));
  const isFresh = maxAge === undefined || epochSeconds() - authTime <= maxAge;
  if (isStrong && isFresh) return;
  const demand = isStrong ? 'sign in again' : 'be authenticated more strongly';
  throw new InsufficientUserAuthentication(
    `the person has to ${demand}; authorize again with the parameters of this challenge`,
    {
      ...(values.length > 0 && { acr_values: values.join(' ') }),
      ...(maxAge !== undefined && { max_age: String(maxAge) }),
    },
  );
}

/** RFC 6750 section 2.1; our tokens have 43 characters. */
const credentials = /^bearer ([\w.~+/-]{1,512}=*)$/i;

/** Reads the `Authorization` header only: a token in an address ends up in logs. */
function bearerToken(request: ReceivedRequest): string | undefined {
  if (hasTokenInQuery(request)) {
    throw new InvalidToken('an access token must not be sent in the address; send Authorization: Bearer <token>');
  }
  const [authorization, ...others] = request.values('Authorization');
  if (others.length > 0) {
    throw new InvalidToken('there must be one Authorization header, not several; a proxy may have added one');
  }
  const sent = withOneSpace(authorization);
  if (sent === undefined) return undefined;
  const token = credentials.exec(sent)?.[1];
  if (token === undefined)
    throw new InvalidToken('the Authorization header must read: Bearer <token>; a proxy may have changed it');
  return token;
}

function hasTokenInQuery({ target }: ReceivedRequest): boolean {
  const [, query = ''] = /\?([^#]*)/.exec(target) ?? [];
  return query !== '' && Boolean(parse(query)['access_token']);
}

interface BearerErrorOptions {
  readonly scopes?: readonly string[] | undefined;
  /** Path of the protected resource. @default the origin itself */
  readonly resourcePath?: string | undefined;
}

export function sendBearerError(ctx: Context, site: Site, error: OAuthError, options?: BearerErrorOptions): void {
  sendResponse(ctx, bearerErrorResponse(koaRequest(ctx), site, error, options));
}

/** Nothing else makes `WWW-Authenticate: Bearer`. A fault has no challenge. RFC 6750 section 3; specification: Missing tokens 3. */
export function bearerErrorResponse(
  request: ReceivedRequest,
  site: Site,
  error: OAuthError,
  { scopes = [], resourcePath = '' }: BearerErrorOptions = {},
): PlainResponse {
  const response = errorResponse(error);
  const isChallenge = [InvalidToken, InsufficientScope, InsufficientUserAuthentication].some(
    (each) => error instanceof each,
  );
  if (!isChallenge) return response;
  const needed = error instanceof InsufficientScope ? error.scopes : scopes;
  const parameters = {
    error: error.error,
    error_description: errorDescription(error.message),
    scope: needed.join(' '),
    ...(error instanceof InsufficientUserAuthentication && error.needed),
    // RFC 9728 section 3.1: the path of the resource is inserted.
    resource_metadata: `${addressedOrigin(request, site)}${paths.protectedResource}${resourcePath}`,
  };
  const quoted = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}=${quote(value)}`] : []));
  return { ...response, headers: { ...response.headers, 'WWW-Authenticate': `Bearer ${quoted.join(', ')}` } };
}

/** A quoted-string: printable ASCII. RFC 9110 section 5.6.4. */
function quote(value: string): string {
  return `"${value.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}
