import type { RequestOutcome, Telemetry } from '../observe/telemetry.ts';
import type { ServerResponse } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { OnFault } from '../observe/events.ts';
import type { Site } from '../host/school-platform.ts';
import type { Route, RouteCall } from './route.ts';
import { RequestTrace } from '../observe/request-trace.ts';
import type { SiteFinder } from '../host/site-finder.ts';
import type { RequestTime } from '../kernel/request-time.ts';
import { AccessDenied, InvalidRequest, OAuthError, ServerError } from '../kernel/errors.ts';
import { sentAuthorization } from './authorization.ts';
import { isAhead, refuseAhead } from './fetched-ahead.ts';
import { isForeignForm } from './foreign-form.ts';
import { koaResponse } from './coming-response.ts';
import { answerOptions, originRefusal, setCorsHeaders } from './cors.ts';
import type { ProxyCheck } from './proxy-check.ts';
import { checkMount } from './mount-check.ts';
import { requestOrigin } from './origin.ts';
import { koaRequest } from './received-request.ts';
import { noStore, sendError } from './send.ts';
import { protocolHeader } from './unknown-origins.ts';

/** Answers a request in place of its route, and returns whether it has; `isBrowser` for a browser that opens a route for apps. */
export type AnswerInstead = (route: Route, call: RouteCall, isBrowser: boolean) => boolean;

interface RouterOptions {
  /** @default none */
  readonly answersInstead?: readonly AnswerInstead[];
  readonly findSite: SiteFinder;
  readonly storeTime: RequestTime;
  readonly onFault: OnFault;
  readonly telemetry?: Telemetry | undefined;
  readonly proxyCheck: ProxyCheck;
  readonly sendPageError: (ctx: Context, site: Site, error: OAuthError) => Promise<void>;
  /** The headers of a page, without a page. */
  readonly sendPageHead: (ctx: Context, site: Site) => void;
}

/** Finds the route and the school and runs the route. Other paths and other hosts fall through to the host application. */
export function createRouter(routes: readonly Route[], options: RouterOptions): Middleware {
  const find = matcher(routes);
  let mountChecked = false;
  const router: Middleware = async (ctx, next) => {
    const match = find(ctx.path);
    mountChecked ||= checkMount(ctx, router, match !== undefined, options.onFault);
    if (!match) return next();
    const request = koaRequest(ctx);
    const fallThrough = async (): Promise<unknown> => {
      await options.proxyCheck(request, koaResponse(ctx));
      return next();
    };
    const origin = requestOrigin(request);
    if (origin === undefined) return fallThrough();
    const observed = requestObserver(options.telemetry, ctx, { route: match.route.path, origin });
    let site: Site | undefined;
    try {
      site = await options.findSite(origin);
    } catch (error) {
      const fault = oauthError(error, options.onFault);
      ctx.set(protocolHeader, ctx.protocol);
      const refuse = (): void => sendError(ctx, allowCors(match.route, ctx, origin) ?? fault);
      return observed ? observed(undefined, refuse) : refuse();
    }
    if (site === undefined) return fallThrough();
    const call = { ctx, site, id: match.id };
    const handle = (): Promise<void> => options.storeTime.run(() => serve(match, call, options), new RequestTrace(ctx));
    return observed ? observed(site.id, handle) : handle();
  };
  return router;
}

interface Match {
  readonly route: Route;
  readonly methods: readonly string[];
  readonly id: string;
}

function matcher(routes: readonly Route[]): (path: string) => Match | undefined {
  const exact = new Map<string, Match>();
  for (const route of routes) {
    const methods = route.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    exact.set(route.path, { route, methods, id: '' });
    if (route.atSlash) exact.set(`${route.path}/`, { route, methods, id: '' });
  }
  return (path) => {
    const match = exact.get(path);
    if (match) return match;
    const slash = path.lastIndexOf('/');
    const id = path.slice(slash + 1);
    const parent = id === '' ? undefined : exact.get(`${path.slice(0, slash)}/:id`);
    return parent && { ...parent, id };
  };
}

/** Makes the response of a route that is not a page readable to scripts, or returns why this one may not call it. */
function allowCors({ kind, origins }: Route, ctx: Context, own: string): AccessDenied | undefined {
  if (kind === 'page') return undefined;
  const refusal = originRefusal(ctx, own, origins);
  if (!refusal) setCorsHeaders(ctx, origins);
  return refusal;
}

async function serve({ route, methods }: Match, call: RouteCall, options: RouterOptions): Promise<void> {
  const { ctx, site } = call;
  const open = route.kind !== 'page';
  try {
    const refusal = allowCors(route, ctx, site.origin);
    if (refusal) throw refusal;
    if (open && ctx.method === 'OPTIONS') return answerOptions(ctx, methods, route.origins);
    const toBrowser = route.browserPage !== undefined && isBrowser(ctx);
    if (options.answersInstead?.some((answer) => answer(route, call, toBrowser))) return;
    if (route.browserPage) {
      ctx.vary('Accept');
      if (toBrowser) return await route.browserPage(call);
    }
    if (isRead(ctx) && sentAuthorization(ctx) === undefined && route.challenge) return route.challenge(call);
    if (!methods.includes(ctx.method)) throw notAllowed(ctx, open ? [...methods, 'OPTIONS'] : methods);
    if (route.acts && isRead(ctx)) {
      if (isAhead(ctx)) return refuseAhead(ctx);
      if (ctx.method === 'HEAD') return options.sendPageHead(ctx, site);
    }
    if (route.kind === 'api') noStore(ctx);
    if (route.kind === 'page' && ctx.method === 'POST' && !route.foreignForms && isForeignForm(ctx, site.origin))
      throw new InvalidRequest('this form must be sent from a page of the school, not from another site');
    await route.handle(call);
  } catch (error) {
    const known = oauthError(error, options.onFault);
    if (open) sendError(ctx, known);
    else await options.sendPageError(ctx, site, known);
  }
}

/** Whether it asks for HTML by name, as browsers do that open an address. Apps that take anything get what is served to apps. */
function isBrowser(ctx: Context): boolean {
  return isRead(ctx) && ctx.accepts('application/json', 'text/markdown', 'text/html') === 'text/html';
}

function isRead({ method }: Context): boolean {
  return method === 'GET' || method === 'HEAD';
}

function notAllowed(ctx: Context, methods: readonly string[]): InvalidRequest {
  const options = { status: 405, headers: { Allow: methods.join(', ') } };
  return new InvalidRequest(`${ctx.method} is not allowed here; use ${methods.join(' or ')}`, options);
}

/** The error to send. Unexpected errors are masked and reported. */
export function oauthError(error: unknown, onFault: OnFault): OAuthError {
  if (error instanceof OAuthError) return error;
  // An error that went through the engine has the original as its cause.
  if (typeof error === 'object' && error !== null && 'cause' in error && error.cause instanceof OAuthError) {
    return error.cause;
  }
  onFault('a request failed', error);
  return new ServerError(error);
}

type Handle = () => void | Promise<void>;

function requestObserver(
  telemetry: Telemetry | undefined,
  ctx: Context,
  { route, origin }: { readonly route: string; readonly origin: string },
): ((siteId: string | undefined, handle: Handle) => Promise<void>) | undefined {
  if (!telemetry?.isOn()) return undefined;
  const scheme = origin.startsWith('https:') ? 'https' : 'http';
  const arrived = { method: ctx.method, route, scheme, started: performance.now() } as const;
  return (siteId, handle) =>
    telemetry.request({ ...arrived, siteId }, async () => {
      await handle();
      return outcomeOf(ctx);
    });
}

/** The codes of errors that are shown as pages. The engine's context and the host's have one response. */
const shownErrors = new WeakMap<ServerResponse, string>();

export function noteShownError(ctx: Context, code: string): void {
  shownErrors.set(ctx.res, code);
}

function outcomeOf(ctx: Context): RequestOutcome {
  return { status: ctx.status, error: shownErrors.get(ctx.res) ?? errorInBody(ctx.body) ?? errorInRedirect(ctx) };
}

function errorInBody(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  return typeof body.error === 'string' ? body.error : undefined;
}

/** RFC 6749 section 4.1.2.1. A redirect with a code is a success, whatever else the client's own URI says. */
function errorInRedirect(ctx: Context): string | undefined {
  const location: unknown = ctx.response.headers['location'];
  if (typeof location !== 'string' || !location.includes('error=')) return undefined;
  const parameters = URL.parse(location)?.searchParams;
  return parameters?.has('code') ? undefined : (parameters?.get('error') ?? undefined);
}
