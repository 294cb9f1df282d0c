import type { Context, Middleware } from 'koa';
import type { Site } from '../contracts/platform.ts';
import { AccessDenied, InvalidRequest, OAuthError, ServerError } from '../protocol/errors.ts';
import { answersPreflight, originRefusal, setCorsHeaders } from './cors.ts';
import { requestOrigin } from './origin.ts';
import type { Route, RouteCall } from '../contracts/route.ts';
import { noStore, sendError } from './send.ts';
import type { SiteFinder } from '../host/site-finder.ts';

/** What the router rests on. */
export interface RouterOptions {
  readonly findSite: SiteFinder;
  /** Sends an error at an address that browsers visit. */
  readonly sendPageError: (ctx: Context, site: Site, error: OAuthError) => void;
  /** Told of every error that is not meant for the caller. */
  readonly onFault: (message: string, cause: unknown) => void;
}

/** Finds the route, then the site, then runs the one for the other; everything else falls through to the host. */
export function createRouter(routes: readonly Route[], options: RouterOptions): Middleware {
  const find = matcher(routes);
  return async (ctx, next) => {
    const match = find(ctx.path);
    const origin = match && requestOrigin(ctx);
    if (!match || origin === undefined) return next();
    const site = await siteOrAnswer(match.route, ctx, origin, options);
    if (site === 'answered') return undefined;
    if (site === undefined) return next();
    await serve(match.route, { ctx, site, id: match.id }, options);
    return undefined;
  };
}

interface Match {
  readonly route: Route;
  readonly id: string;
}

function matcher(routes: readonly Route[]): (path: string) => Match | undefined {
  const exact = new Map(routes.map((route) => [route.path, route]));
  return (path) => {
    const route = exact.get(path);
    if (route) return { route, id: '' };
    const slash = path.lastIndexOf('/');
    const id = path.slice(slash + 1);
    const parent = id === '' ? undefined : exact.get(`${path.slice(0, slash)}/:id`);
    return parent && { route: parent, id };
  };
}

async function siteOrAnswer(
  route: Route,
  ctx: Context,
  origin: string,
  options: RouterOptions,
): Promise<Site | undefined | 'answered'> {
  try {
    return await options.findSite(origin);
  } catch (error) {
    const fault = asOurs(error, options);
    sendError(ctx, openToScripts(route, ctx, origin) ?? fault);
    return 'answered';
  }
}

/** Makes the response of a route that is not a page readable to scripts, or returns why this one may not call it. */
function openToScripts({ kind, origins }: Route, ctx: Context, own: string): AccessDenied | undefined {
  if (kind === 'page') return undefined;
  const refusal = originRefusal(ctx, own, origins);
  if (!refusal) setCorsHeaders(ctx, origins);
  return refusal;
}

async function serve(route: Route, call: RouteCall, options: RouterOptions): Promise<void> {
  const { ctx, site } = call;
  const methods = route.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const open = route.kind !== 'page';
  try {
    const refusal = openToScripts(route, ctx, site.origin);
    if (refusal) throw refusal;
    if (open && answersPreflight(ctx, methods, route.origins)) return;
    if (!methods.includes(ctx.method)) throw notAllowed(ctx, open ? [...methods, 'OPTIONS'] : methods);
    if (route.kind === 'api') noStore(ctx);
    await route.handle(call);
  } catch (error) {
    const known = asOurs(error, options);
    if (open) sendError(ctx, known);
    else options.sendPageError(ctx, site, known);
  }
}

function notAllowed(ctx: Context, methods: readonly string[]): InvalidRequest {
  const headers = { Allow: methods.join(', ') };
  return new InvalidRequest(`${ctx.method} is not possible here; use ${methods.join(' or ')}`, {
    status: 405,
    headers,
  });
}

function asOurs(error: unknown, { onFault }: RouterOptions): OAuthError {
  if (error instanceof OAuthError) return error;
  // What left the engine in the engine's form carries ours as its cause.
  if (typeof error === 'object' && error !== null && 'cause' in error && error.cause instanceof OAuthError) {
    return error.cause;
  }
  onFault('a request failed', error);
  return new ServerError(error);
}
