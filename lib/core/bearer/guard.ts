import { parse } from 'node:querystring';
import { paths } from '../../http/paths.ts';
import type { Context } from 'koa';
import {
  type AcceptedTokens,
  type TokenOf,
  type AuthenticationRequirement,
  type ClientAudience,
  type PersonAudience,
  personAudiences,
} from '../clients/client.ts';
import type { Site } from '../../host/school-platform.ts';
import { addressedOrigin } from '../../http/addressed-origin.ts';
import { withOneSpace } from '../../http/authorization.ts';
import { exposingNonce } from '../../http/cors.ts';
import { koaRequest, pathOf, type ReceivedRequest } from '../../http/received-request.ts';
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
import type { AccessRequirement, CallAddress } from './access-requirement.ts';
import type { BearerAuth, KnownToken } from './bearer-auth.ts';
import { BoundToken, InvalidDpopProof, needsProof, type ProvenCall } from './key-proof.ts';
import { honouring, unhonouredIn } from './verified-token.ts';

/** A request whose token was verified. */
export interface VerifiedRequest<Token> extends Omit<KnownToken, 'token'> {
  /** `undefined` for an anonymous request. */
  readonly token: Token | undefined;
}

/** Verifies the token of a request; none is needed where anonymous requests are allowed. @internal */
export async function verifyBearerToken<A extends ClientAudience = PersonAudience>(
  { verify, dpop }: BearerAuth,
  request: ReceivedRequest,
  site: Site,
  {
    scopes = [],
    anonymous = false,
    bound = false,
    whose,
    acr,
    maxAge,
    address,
    ...accepted
  }: AccessRequirement<A> & { readonly whose?: string } = {},
): Promise<VerifiedRequest<TokenOf<A>>> {
  const sent = sentToken(request);
  if (sent === undefined) {
    if (anonymous) return { token: undefined, headers: {} };
    throw missingToken(whose, bound ? 'DPoP' : 'Bearer');
  }
  const call = dpop && sent.scheme === 'DPoP' ? provenCall(request, site, address) : undefined;
  if (sent.scheme === 'DPoP' && !call) throw wrongCredentials();
  if (bound && !call) throw new BoundToken('this address takes only access tokens that are bound to a key (DPoP)');
  const known = await verify(site, sent.token, call);
  const token = accepting(known.token, accepted);
  requireScopes(token, scopes);
  requireAuthentication(token, { acr, maxAge });
  return { ...known, token };
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
export function missingToken(whose?: string, scheme: Scheme = 'Bearer'): InvalidToken {
  const more = whose === undefined ? '' : `; ${whose}`;
  return new InvalidToken(`an access token is needed; send Authorization: ${scheme} <token>${more}`);
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

type Scheme = 'Bearer' | 'DPoP';

/** RFC 6750 section 2.1; our tokens have 43 characters. */
const credentials = /^(?:bearer|(dpop)) ([\w.~+/-]{1,512}=*)$/i;

/** Reads the `Authorization` header only: a token in an address ends up in logs. */
function sentToken(request: ReceivedRequest): { readonly scheme: Scheme; readonly token: string } | undefined {
  if (hasTokenInQuery(request)) {
    throw new InvalidToken('an access token must not be sent in the address; send Authorization: Bearer <token>');
  }
  const [authorization, ...others] = request.values('Authorization');
  if (others.length > 0) {
    throw new InvalidToken('there must be one Authorization header, not several; a proxy may have added one');
  }
  const sent = withOneSpace(authorization);
  if (sent === undefined) return undefined;
  const [, dpop, token] = credentials.exec(sent) ?? [];
  if (token === undefined) throw wrongCredentials();
  return { scheme: dpop === undefined ? 'Bearer' : 'DPoP', token };
}

function wrongCredentials(): InvalidToken {
  return new InvalidToken('the Authorization header must read: Bearer <token>; a proxy may have changed it');
}

/** What a proof has to prove. A proof beside `Bearer` is not looked at: that is another way to send a token. RFC 9449 section 4.3. */
function provenCall(request: ReceivedRequest, site: Site, addressOf?: CallAddress): ProvenCall {
  const [proof, ...others] = request.values('DPoP');
  if (proof === undefined || others.length > 0)
    throw new InvalidDpopProof('there must be one DPoP header beside Authorization: DPoP');
  const { method } = request;
  return { proof, method, address: addressOf?.(request, site) ?? sentTo(request, site) };
}

/** The path is not resolved: `//other.example/` would be at another host. */
function sentTo(request: ReceivedRequest, site: Site): string {
  return `${addressedOrigin(request, site)}${pathOf(request)}`;
}

function hasTokenInQuery({ target }: ReceivedRequest): boolean {
  const [, query = ''] = /\?([^#]*)/.exec(target) ?? [];
  return query !== '' && Boolean(parse(query)['access_token']);
}

interface BearerErrorOptions {
  readonly scopes?: readonly string[] | undefined;
  /** Whether only tokens that are bound to a key are accepted. @default false */
  readonly bound?: boolean | undefined;
  /** Path of the protected resource. @default the origin itself */
  readonly resourcePath?: string | undefined;
}

export function sendBearerError(
  bearer: BearerAuth,
  ctx: Context,
  site: Site,
  error: OAuthError,
  options?: BearerErrorOptions,
): void {
  const response = bearerErrorResponse(bearer, koaRequest(ctx), site, error, options);
  sendResponse(ctx, { ...response, headers: exposingNonce(response.headers) });
}

/**
 * Nothing else makes a challenge for tokens. A fault has no challenge. RFC 6750 section 3; RFC 9449 section 7.1; specification: Missing tokens 3.
 */
export function bearerErrorResponse(
  { dpop }: BearerAuth,
  request: ReceivedRequest,
  site: Site,
  error: OAuthError,
  { scopes = [], bound = false, resourcePath = '' }: BearerErrorOptions = {},
): PlainResponse {
  const response = errorResponse(error);
  const isChallenge =
    needsProof(error) ||
    [InvalidToken, InsufficientScope, InsufficientUserAuthentication].some((each) => error instanceof each);
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
  const challenge = ((): string => {
    if (!dpop) return `Bearer ${listed(parameters)}`;
    const algs = dpop.algorithms.join(' ');
    const isOfKey = bound || needsProof(error) || /^dpop /i.test(request.get('Authorization'));
    // Apps look for what follows `Bearer` at the start.
    return isOfKey
      ? `DPoP ${listed({ ...parameters, algs })}`
      : `Bearer ${listed(parameters)}, DPoP ${listed({ algs })}`;
  })();
  return { ...response, headers: { ...response.headers, 'WWW-Authenticate': challenge } };
}

/** The parameters of a challenge that have a value. */
function listed(parameters: Readonly<Record<string, string>>): string {
  const quoted = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}=${quote(value)}`] : []));
  return quoted.join(', ');
}

/** A quoted-string: printable ASCII. RFC 9110 section 5.6.4. */
function quote(value: string): string {
  return `"${value.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}
