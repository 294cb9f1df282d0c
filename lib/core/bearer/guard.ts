import * as z from 'zod';
import { paths } from '../../http/paths.ts';
import type { Context, Middleware } from 'koa';
import {
  type AcceptedTokens,
  type VerifiedToken,
  type TokenOf,
  type AuthenticationRequirement,
  type ClientAudience,
  type PersonAudience,
  type VerifiedServiceToken,
  type VerifyToken,
  personAudiences,
} from '../clients/client.ts';
import type { DeclaredBoundary } from '../boundaries/boundary.ts';
import { checkHonours, honoursField } from '../boundaries/honours-field.ts';
import type { Site } from '../../host/school-platform.ts';
import { handleApiPreflight, keepCorsHeaders, allowCors } from '../../http/cors.ts';
import type { ProxyCheck } from '../../http/proxy-check.ts';
import { addressedOrigin } from '../../http/addressed-origin.ts';
import { sentAuthorization } from '../../http/authorization.ts';
import { headerCount, requestOrigin } from '../../http/origin.ts';
import { oauthError } from '../../http/router.ts';
import { sendError } from '../../http/send.ts';
import { audienceField, checkScopes, scopesField } from '../clients/client-fields.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import {
  errorDescription,
  InsufficientScope,
  InsufficientUserAuthentication,
  InvalidRequest,
  InvalidToken,
  type OAuthError,
} from '../../kernel/errors.ts';
import { alternatives } from '../enabled/enabled.ts';
import { flag, group, list, type Shape, text, whole } from '../../kernel/option-schemas.ts';
import type { Scope, ScopeCatalogue } from '../scopes/scopes.ts';
import { readOptions } from '../../kernel/validate.ts';
import { RequestTrace } from '../../observe/request-trace.ts';
import type { RequestTime } from '../../kernel/request-time.ts';
import type { SiteFinder } from '../../host/site-finder.ts';
import type { OnFault } from '../../observe/events.ts';
import { honouring, unhonouredIn } from './verified-token.ts';

/** What a protected route requires. */
export interface AccessRequirement<A extends ClientAudience = PersonAudience>
  extends AcceptedTokens<A>, AuthenticationRequirement {
  /** Scopes that the token must have, all of them. @default [] */
  readonly scopes?: readonly Scope[] | undefined;
  /** Allow a request without a token. A bad token is still refused. @default false */
  readonly anonymous?: boolean | undefined;
}

/** `ctx.state` behind `requireAccess`. Where anonymous requests are allowed: `TokenState<VerifiedToken | undefined>`. */
export interface TokenState<A extends VerifiedToken | VerifiedServiceToken | undefined = VerifiedToken> {
  /** The verified token. */
  token: A;
}

/** A middleware that puts its state. A method, since a guard of a campus whose schools have more members is also one of any campus. */
export type AccessGuard<State> = { guard(...call: Parameters<Middleware<State>>): Promise<void> }['guard'];

const audiencesField = list(audienceField, 'be an array of audiences');

/** The members of a requirement that say how the person must have signed in. @internal */
export const authenticationFields = {
  acr: z.union([text(), list(text(), 'be an array of strings')], 'be a string or an array of strings').optional(),
  maxAge: whole('whole number of seconds', 0, 10 * 365 * 24 * 60 * 60).optional(),
} satisfies Shape<AuthenticationRequirement>;

const requirementSchema = group(
  {
    scopes: scopesField.optional(),
    anonymous: flag.optional(),
    audience: audiencesField.optional(),
    ...authenticationFields,
    honours: honoursField.optional(),
  } satisfies Shape<AccessRequirement<ClientAudience>>,
  'be given an object, for example { scopes: ["courses:read"] }',
);

interface SiteOptions {
  readonly findSite: SiteFinder;
  readonly proxyCheck: ProxyCheck;
}

interface GuardOptions extends SiteOptions {
  readonly storeTime: RequestTime;
  readonly catalogue: ScopeCatalogue;
  readonly boundaries: readonly DeclaredBoundary[];
  readonly onFault: OnFault;
  readonly verify: VerifyToken;
}

/** The school of a request for the host's own routes. @internal */
export async function siteOfRequest({ findSite, proxyCheck }: SiteOptions, ctx: Context): Promise<Site | undefined> {
  const origin = requestOrigin(ctx);
  const site = origin === undefined ? undefined : await findSite(origin);
  if (!site) await proxyCheck(ctx);
  return site;
}

/** Puts `ctx.state.token` or sends the error; scripts of any origin may read both. @throws TypeError for a wrong requirement @internal */
export function requireBearerAuth<A extends ClientAudience>(
  guard: GuardOptions,
  options: AccessRequirement<A> = {},
): AccessGuard<TokenState<TokenOf<A> | undefined>> {
  const { verify, storeTime, catalogue, boundaries, onFault } = guard;
  const requirement = readOptions(requirementSchema, options, 'requireAccess');
  checkScopes(catalogue, requirement.scopes ?? [], 'requireAccess.scopes');
  checkHonours(boundaries, requirement.honours, 'requireAccess.honours');
  const audience = options.audience && [...options.audience];
  return async (ctx, next) => {
    allowCors(ctx);
    let site: Site | undefined;
    try {
      site = await siteOfRequest(guard, ctx);
      if (!site) throw new InvalidRequest('there is no school at this address', { status: 404 });
      if (handleApiPreflight(ctx)) return;
      const known = site;
      const verified = (): Promise<TokenOf<A> | undefined> =>
        verifyBearerToken(verify, ctx, known, { ...requirement, audience });
      ctx.state.token = await storeTime.run(verified, new RequestTrace(ctx));
    } catch (thrown) {
      const error = oauthError(thrown, onFault);
      if (site) sendBearerError(ctx, site, error, { scopes: requirement.scopes });
      else sendError(ctx, error);
      return;
    }
    await keepCorsHeaders(ctx, next);
  };
}

/** Returns the verified token of a request, or `undefined` for an anonymous one where that is allowed. @internal */
export async function verifyBearerToken<A extends ClientAudience = PersonAudience>(
  verify: VerifyToken,
  ctx: Context,
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
  const token = bearerToken(ctx);
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
function bearerToken(ctx: Context): string | undefined {
  if (ctx.querystring !== '' && ctx.query['access_token']) {
    throw new InvalidToken('an access token must not be sent in the address; send Authorization: Bearer <token>');
  }
  if (headerCount(ctx, 'authorization') > 1) {
    throw new InvalidToken('there must be one Authorization header, not several; a proxy may have added one');
  }
  const sent = sentAuthorization(ctx);
  if (sent === undefined) return undefined;
  const token = credentials.exec(sent)?.[1];
  if (token === undefined)
    throw new InvalidToken('the Authorization header must read: Bearer <token>; a proxy may have changed it');
  return token;
}

interface BearerErrorOptions {
  readonly scopes?: readonly string[] | undefined;
  /** Path of the protected resource. @default the origin itself */
  readonly resourcePath?: string | undefined;
}

/** Nothing else writes `WWW-Authenticate: Bearer`. A fault has no challenge. RFC 6750 section 3; specification: Missing tokens 3. */
export function sendBearerError(
  ctx: Context,
  site: Site,
  error: OAuthError,
  { scopes = [], resourcePath = '' }: BearerErrorOptions = {},
): void {
  sendError(ctx, error);
  const isChallenge = [InvalidToken, InsufficientScope, InsufficientUserAuthentication].some(
    (each) => error instanceof each,
  );
  if (!isChallenge) return;
  const needed = error instanceof InsufficientScope ? error.scopes : scopes;
  const parameters = {
    error: error.error,
    error_description: errorDescription(error.message),
    scope: needed.join(' '),
    ...(error instanceof InsufficientUserAuthentication && error.needed),
    // RFC 9728 section 3.1: the path of the resource is inserted.
    resource_metadata: `${addressedOrigin(ctx, site)}${paths.protectedResource}${resourcePath}`,
  };
  const quoted = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}=${quote(value)}`] : []));
  ctx.set('WWW-Authenticate', `Bearer ${quoted.join(', ')}`);
}

/** A quoted-string: printable ASCII. RFC 9110 section 5.6.4. */
function quote(value: string): string {
  return `"${value.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}
