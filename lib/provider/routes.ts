import { stringify } from 'node:querystring';
import type { Context } from 'koa';
import type { Site } from '../contracts/platform.ts';
import type { Route, RouteCall } from '../contracts/route.ts';
import type { HostPlatform } from '../host/platform.ts';
import { field, type Form, readForm } from '../http/body.ts';
import { InvalidClient } from '../protocol/errors.ts';
import { paths } from '../protocol/paths.ts';
import { defaultScopes, splitScope } from '../protocol/scopes.ts';
import type { EngineContext, EngineFinder } from './engine.ts';
import { describeRedirect } from './engine-errors.ts';
import { EngineRequest } from './engine-request.ts';
import { PendingRedemption, type RedemptionOptions } from './redemption.ts';

interface EngineRouteOptions extends RedemptionOptions {
  readonly platform: HostPlatform;
  readonly engineOf: EngineFinder;
}

/** The endpoints that the engine handles: authorization, token, revocation and introspection. */
export function engineRoutes(options: EngineRouteOptions): Route[] {
  return [
    page(paths.authorize, (route) =>
      authorize(options, route, `${paths.authorize}?${normalizedQuery(route).toString()}`),
    ),
    // The engine resumes here after an interaction.
    page(`${paths.authorize}/:id`, (route) => authorize(options, route, `${paths.authorize}/${route.id}`)),
    post(paths.token, (route, form) => token(options, route, form)),
    post(paths.revoke, async (route, form) => sendEngineResponse(await runEngine(options, route, { form }), route.ctx)),
    post(paths.introspect, (route, form) => introspect(options, route, form)),
  ];
}

function page(path: string, handle: Route['handle']): Route {
  return { path, methods: ['GET'], kind: 'page', handle };
}

function post(path: string, handle: (route: RouteCall, form: Form) => Promise<void>): Route {
  return {
    path,
    methods: ['POST'],
    kind: 'api',
    handle: async (route) => {
      refuseBasic(route);
      await handle(route, canonicalForm(await readForm(route.ctx), route.site));
    },
  };
}

async function authorize(options: EngineRouteOptions, route: RouteCall, url: string): Promise<void> {
  sendEngineResponse(await runEngine(options, route, { url }), route.ctx);
  describeRedirect(route.ctx);
}

/** The engine works out the response, then everything that it wants to store is committed at once. */
async function token(options: EngineRouteOptions, route: RouteCall, form: Form): Promise<void> {
  const redemption = new PendingRedemption();
  const engine = await runEngine(options, route, { form, redemption });
  const issued = successBody(engine);
  if (issued) engine.body = await redemption.commit(options, route.site.id, form, issued);
  sendEngineResponse(engine, route.ctx);
}

/** Adds `aud`, which the engine returns for access tokens only. Specification: Audience binding 3. */
async function introspect(options: EngineRouteOptions, route: RouteCall, form: Form): Promise<void> {
  const engine = await runEngine(options, route, { form });
  const found = successBody(engine);
  if (found && 'active' in found && found.active === true) engine.body = { ...found, aud: route.site.origin };
  sendEngineResponse(engine, route.ctx);
}

async function runEngine(
  { platform, engineOf }: EngineRouteOptions,
  { ctx, site }: RouteCall,
  { url = ctx.path, form, redemption }: { url?: string; form?: Form; redemption?: PendingRedemption },
): Promise<EngineContext> {
  const request = new EngineRequest(ctx, site, platform, redemption);
  const engine = engineOf(site);
  const engineCtx = engine.context(request, url, form && stringify({ ...form }));
  await engine.handle(request, engineCtx);
  return engineCtx;
}

/** Sends the engine's response through the host's context. Both write to one response, so its headers are set already. */
function sendEngineResponse({ status, body }: EngineContext, ctx: Context): void {
  ctx.body = body;
  ctx.status = status;
  if (status === 503 && !ctx.response.get('Retry-After')) ctx.set('Retry-After', '1');
}

function successBody({ status, body }: EngineContext): object | undefined {
  return status === 200 && typeof body === 'object' && body !== null ? body : undefined;
}

/** The engine accepts HTTP Basic, which the metadata does not list. */
function refuseBasic({ ctx, site }: RouteCall): void {
  if (!/^basic\b/i.test(ctx.get('Authorization'))) return;
  throw new InvalidClient('HTTP Basic is not supported here; send client_id and client_secret in the body', {
    headers: { 'WWW-Authenticate': `Basic realm="${site.origin}"` },
  });
}

function canonicalForm(form: Form, site: Site): Form {
  // RFC 7009 section 2.1 lets a server ignore the hint; a wrong one would cost another look-up.
  field(form, 'token_type_hint');
  const { token_type_hint: _hint, ...parameters } = form;
  const resource = field(form, 'resource');
  return resource === undefined ? parameters : { ...parameters, resource: canonicalResource(resource, site) };
}

/** The query with the canonical resource, and with the default scopes if the client sent none. */
function normalizedQuery({ ctx, site }: RouteCall): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(ctx.querystring))
    parameters.append(name, canonical(name, value, site));
  const scopes = parameters.getAll('scope');
  if (scopes.length < 2 && !scopes[0]) parameters.set('scope', defaultScopes.join(' '));
  // The engine refuses a nonce in a request that gets no ID token.
  if (!splitScope(parameters.get('scope') ?? '').includes('openid')) parameters.delete('nonce');
  return parameters;
}

function canonical(name: string, value: string, site: Site): string {
  if (name === 'resource') return canonicalResource(value, site);
  // The engine would send its error in the requested mode if it knew that mode.
  return name === 'response_mode' && value !== '' && value !== 'query' ? 'unsupported' : value;
}

/** Some clients send the origin with a trailing slash. RFC 8707 section 2; specification: Audience binding. */
function canonicalResource(value: string, { origin }: Site): string {
  return value === `${origin}/` ? origin : value;
}
