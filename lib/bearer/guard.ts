import type { Context, Middleware } from 'koa';
import type { Site } from '../contracts/platform.ts';
import { InsufficientScope, InvalidRequest, InvalidToken, OAuthError } from '../protocol/errors.ts';
import { requestOrigin } from '../http/origin.ts';
import { sendError } from '../http/send.ts';
import type { SiteFinder } from '../host/site-finder.ts';
import type { Access, VerifyAccess } from '../contracts/client.ts';
import { scopesField } from '../protocol/client-fields.ts';
import { flag, group, type Members } from '../protocol/option-schemas.ts';
import type { Scope } from '../protocol/scopes.ts';
import { readOptions } from '../protocol/validate.ts';
import { sendBearerError } from './challenge.ts';
import { bearerToken } from './credentials.ts';

/** What a protected route requires. */
export interface AccessRequirement {
  /** Scopes that the token must have, all of them. @default [] */
  readonly scopes?: readonly Scope[] | undefined;
  /** Allow a request without a token, with no access. A bad token is still refused. @default false */
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

const requirementSchema = group(
  { scopes: scopesField('a scope').optional(), anonymous: flag.optional() } satisfies Members<AccessRequirement>,
  'be given an object, for example { scopes: ["courses:read"] }',
);

/**
 * A Koa middleware that lets a request through with `ctx.state.access`, or responds with the error.
 *
 * @throws TypeError for a requirement that nobody or everybody would meet, for example an unknown scope
 */
export function requireBearerAuth({ findSite, verify }: GuardOptions, requirement: AccessRequirement = {}): Middleware {
  const demand = readOptions(requirementSchema, requirement, 'requireAccess');
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
