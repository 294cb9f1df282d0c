import type { Context, Middleware } from 'koa';
import type { Site } from '../contracts/platform.ts';
import { InsufficientScope, InvalidRequest, InvalidToken, OAuthError } from '../protocol/errors.ts';
import { requestOrigin } from '../http/origin.ts';
import { sendError } from '../http/send.ts';
import type { SiteFinder } from '../host/site-finder.ts';
import type { Access } from '../contracts/access.ts';
import { isObject, must } from '../options/checks.ts';
import { isScope, type Scope } from '../protocol/scopes.ts';
import { sendBearerError } from './challenge.ts';
import { bearerToken } from './credentials.ts';
import type { VerifyAccess } from '../contracts/access.ts';

/** What a protected route demands. */
export interface AccessRequirement {
  /** Scopes that the token must have, all of them. @default [] */
  readonly scopes?: readonly Scope[] | undefined;
  /** Let a request without a token through, with no access. A bad token is refused all the same. @default false */
  readonly anonymous?: boolean | undefined;
}

/**
 * The access of a request, or `undefined` for an anonymous one where that is allowed.
 *
 * @throws InvalidToken, InsufficientScope, or TemporarilyUnavailable when no verdict could be reached
 */
export async function verifyBearerToken(
  verify: VerifyAccess,
  ctx: Context,
  site: Site,
  { scopes = [], anonymous = false }: AccessRequirement = {},
): Promise<Access | undefined> {
  const token = bearerToken(ctx);
  if (token === undefined) {
    if (anonymous) return undefined;
    throw new InvalidToken('an access token is needed; send Authorization: Bearer <token>');
  }
  const access = await verify(site, token);
  requireScopes(access, scopes);
  return access;
}

/**
 * Demands that an access has these scopes.
 *
 * @throws InsufficientScope that names all of them
 */
export function requireScopes(access: Pick<Access, 'scopes'>, scopes: readonly string[]): void {
  const missing = scopes.filter((scope) => !access.scopes.includes(scope));
  if (missing.length === 0) return;
  const again = missing.length === 1 ? 'it' : 'them';
  throw new InsufficientScope(`the access token lacks ${missing.join(' and ')}; authorize again with ${again}`, scopes);
}

/** What the guard rests on. */
export interface GuardOptions {
  readonly findSite: SiteFinder;
  readonly verify: VerifyAccess;
}

/**
 * A Koa middleware that lets a request through with `ctx.state.access`, or answers it.
 *
 * @throws TypeError for a demand that would let everybody through, or nobody
 */
export function requireBearerAuth({ findSite, verify }: GuardOptions, demand: AccessRequirement = {}): Middleware {
  checkRequirement(demand);
  return async (ctx, next) => {
    const origin = requestOrigin(ctx);
    let site: Site | undefined;
    try {
      site = origin === undefined ? undefined : await findSite(origin);
      if (!site) throw new InvalidRequest('there is no school at this address', { status: 404 });
      ctx.state['access'] = await verifyBearerToken(verify, ctx, site, demand);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      if (site) sendBearerError(ctx, site, error, { scopes: demand.scopes });
      else sendError(ctx, error);
      return;
    }
    await next();
  };
}

function checkRequirement(demand: AccessRequirement): void {
  must(isObject(demand), 'requireAccess', 'be given an object, for example { scopes: ["courses:read"] }');
  for (const name of Object.keys(demand)) {
    must(name === 'scopes' || name === 'anonymous', name, 'not be given; there are scopes, anonymous');
  }
  const { scopes = [], anonymous = false } = demand;
  must(Array.isArray(scopes), 'scopes', 'be an array of scopes');
  scopes.forEach((scope, i) =>
    must(isScope(scope), `scopes[${i}]`, `be a scope of the catalogue, not ${JSON.stringify(scope)}`),
  );
  must(typeof anonymous === 'boolean', 'anonymous', 'be true or false');
}
