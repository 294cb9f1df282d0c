import { stringify } from 'node:querystring';
import type { Context } from 'koa';
import type { ClientFinder } from '../clients/finder.ts';
import type { Route, RouteCall } from '../contracts/route.ts';
import { PendingRedemption, type RedemptionOptions } from '../grants/redemption.ts';
import type { HostPlatform } from '../host/platform.ts';
import { type Form, readForm } from '../http/body.ts';
import { InvalidClient } from '../protocol/errors.ts';
import { paths } from '../protocol/paths.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import { storedId } from '../records/codec.ts';
import { optional, text } from '../records/members.ts';
import type { RecordStore } from '../records/record-store.ts';
import type { Engine, EngineContext, EngineFinder } from './engine.ts';
import { describeRedirect } from './engine-errors.ts';
import { EngineRequest } from './engine-request.ts';
import { checkQuerySize } from './parameters.ts';
import { type RequestNormalizer, requestNormalizer, type SiteResources } from './normalized-request.ts';

interface EngineRouteOptions extends RedemptionOptions {
  readonly store: Pick<RecordStore, 'find' | 'redeem'>;
  readonly platform: HostPlatform;
  readonly clients: ClientFinder;
  readonly engineOf: EngineFinder;
  readonly catalogue: ScopeCatalogue;
  readonly resources: SiteResources;
}

interface EngineRoutes extends Omit<EngineRouteOptions, 'resources'> {
  readonly normalize: RequestNormalizer;
}

/** The endpoints that the engine handles: authorization, token, revocation and introspection. */
export function engineRoutes({ resources, ...options }: EngineRouteOptions): Route[] {
  const routes = { ...options, normalize: requestNormalizer(resources, options.catalogue) };
  return [
    page(paths.authorize, (route) => startAuthorization(routes, route)),
    // The engine resumes here after an interaction.
    page(`${paths.authorize}/:id`, (route) =>
      authorize(routes, openEngine(routes, route), route, `${paths.authorize}/${route.id}`),
    ),
    post(routes, paths.token, token),
    post(routes, paths.revoke, async (call, route) => sendEngineResponse(await runEngine(call), route.ctx)),
    post(routes, paths.introspect, introspect),
  ];
}

function page(path: string, handle: Route['handle']): Route {
  return { path, methods: ['GET'], kind: 'page', handle };
}

/** A form that was posted to the engine. */
interface FormCall extends EngineCall {
  readonly routes: EngineRoutes;
  readonly form: Form;
}

function post(routes: EngineRoutes, path: string, handle: (call: FormCall, route: RouteCall) => Promise<void>): Route {
  return {
    path,
    methods: ['POST'],
    kind: 'api',
    handle: async (route) => {
      refuseBasic(route);
      const redemption = path === paths.token ? new PendingRedemption() : undefined;
      const opened = openEngine(routes, route, redemption);
      const sent = await readForm(route.ctx);
      const form = await routes.normalize.form(sent, route.site.origin, (refreshToken) =>
        scopesOfRefreshToken(routes, route, refreshToken),
      );
      await handle({ ...opened, routes, url: route.ctx.path, form }, route);
    },
  };
}

async function startAuthorization(routes: EngineRoutes, route: RouteCall): Promise<void> {
  const { ctx, site } = route;
  checkQuerySize(ctx.querystring);
  const opened = openEngine(routes, route);
  const query = await routes.normalize.query(ctx.querystring, site.origin, (clientId) =>
    scopesOfClient(routes, opened.request, clientId),
  );
  await authorize(routes, opened, route, `${paths.authorize}?${query.toString()}`);
}

async function authorize(
  { catalogue }: EngineRoutes,
  opened: OpenedEngine,
  { ctx }: RouteCall,
  url: string,
): Promise<void> {
  sendEngineResponse(await runEngine({ ...opened, url }), ctx);
  describeRedirect(ctx, catalogue, new URLSearchParams(ctx.querystring).get('client_id') ?? '');
}

/** The engine works out the response, then everything that it wants to store is committed at once. */
async function token(call: FormCall, { ctx, site }: RouteCall): Promise<void> {
  const { routes, request, form } = call;
  const engine = await runEngine(call);
  const issued = successBody(engine);
  if (issued && request.redemption) {
    const { token: redeemed, grant } = request.reads;
    const answered = { siteId: site.id, form, response: issued, familyId: redeemed?.familyId, grant };
    engine.body = await request.redemption.commit(routes, answered);
  }
  sendEngineResponse(engine, ctx);
}

/** Adds `aud`, which the engine returns for access tokens only. Specification: Audience binding 3. */
async function introspect(call: FormCall, { ctx, site }: RouteCall): Promise<void> {
  const { routes } = call;
  // Resource servers have access tokens. Without a hint the engine looks for a refresh token at the same time.
  const engine = await runEngine({ ...call, form: { ...call.form, token_type_hint: 'access_token' } });
  const found = successBody(engine);
  if (found && 'active' in found && found.active === true) {
    // The engine has the scopes that the token was issued with. Some of a refresh token's may be gone from its grant.
    const { grant } = call.request.reads;
    const granted = splitScope(grant && optional(grant.record, 'scope', text));
    const isLeft = (scope: string): boolean => routes.catalogue.has(scope) && granted.includes(scope);
    const scopes = 'scope' in found ? splitScope(String(found.scope)).filter(isLeft) : [];
    engine.body = { ...found, ...('scope' in found && { scope: scopes.join(' ') }), aud: site.origin };
  }
  sendEngineResponse(engine, ctx);
}

/** The engine of a site, and the request that it is to handle. */
interface OpenedEngine {
  readonly engine: Engine;
  readonly request: EngineRequest;
}

interface EngineCall extends OpenedEngine {
  readonly url: string;
  readonly form?: Form | undefined;
}

function openEngine(routes: EngineRoutes, { ctx, site }: RouteCall, redemption?: PendingRedemption): OpenedEngine {
  return { engine: routes.engineOf(site), request: new EngineRequest(ctx, site, routes, redemption) };
}

async function runEngine({ engine, request, url, form }: EngineCall): Promise<EngineContext> {
  const ctx = engine.context(request, url, form && stringify({ ...form }));
  await engine.handle(ctx);
  return ctx;
}

/** The engine finds the client once more, from the request's memory, and reports why it cannot be used. */
async function scopesOfClient(
  { catalogue }: EngineRoutes,
  request: EngineRequest,
  clientId: string,
): Promise<string[] | undefined> {
  try {
    const client = await request.client(clientId);
    return client && splitScope(client.scope ?? catalogue.all.join(' '));
  } catch {
    return undefined;
  }
}

async function scopesOfRefreshToken(
  { store }: EngineRoutes,
  { site }: RouteCall,
  refreshToken: string,
): Promise<string[] | undefined> {
  const found = await store.find(site.id, 'RefreshToken', storedId('RefreshToken', refreshToken));
  return found && splitScope(optional(found.record, 'scope', text));
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
