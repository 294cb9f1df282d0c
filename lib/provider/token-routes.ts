import { stringify } from 'node:querystring';
import { InvalidClient } from '../protocol/errors.ts';
import type { HostPlatform } from '../host/platform.ts';
import { field, type Form, readForm } from '../http/body.ts';
import type { Route, RouteCall } from '../contracts/route.ts';
import { paths } from '../protocol/paths.ts';
import { EngineRequest } from './engine-request.ts';
import { type EngineContext, sendEngineResponse } from './engine.ts';
import { PendingRedemption, type RedemptionOptions } from './redemption.ts';
import type { EngineFinder } from './registry.ts';
import { canonicalResource } from './resource.ts';

interface TokenRouteOptions extends RedemptionOptions {
  readonly platform: HostPlatform;
  readonly engineOf: EngineFinder;
}

/** Token, revocation and introspection endpoints. */
export function tokenRoutes(options: TokenRouteOptions): Route[] {
  return [
    post(paths.token, (route, form) => token(options, route, form)),
    post(paths.revoke, (route, form) => revoke(options, route, form)),
    post(paths.introspect, (route, form) => introspect(options, route, form)),
  ];
}

function post(path: string, handle: (route: RouteCall, form: Form) => Promise<void>): Route {
  return {
    path,
    methods: ['POST'],
    kind: 'api',
    handle: async (route) => {
      refuseBasic(route);
      await handle(route, canonicalForm(await readForm(route.ctx), route.site.origin));
    },
  };
}

/** The engine accepts HTTP Basic, which the metadata does not list. */
function refuseBasic({ ctx, site }: RouteCall): void {
  if (!/^basic\b/i.test(ctx.get('Authorization'))) return;
  throw new InvalidClient('HTTP Basic is not supported here; send client_id and client_secret in the body', {
    headers: { 'WWW-Authenticate': `Basic realm="${site.origin}"` },
  });
}

function canonicalForm(form: Form, origin: string): Form {
  // RFC 7009 section 2.1 lets a server ignore the hint; a wrong one would cost another look-up.
  field(form, 'token_type_hint');
  const { token_type_hint: _hint, ...parameters } = form;
  const resource = field(form, 'resource');
  return resource === undefined ? parameters : { ...parameters, resource: canonicalResource(resource, origin) };
}

/** Redemption: the engine works out the response, then everything that it wants to store is committed at once. */
async function token(options: TokenRouteOptions, route: RouteCall, form: Form): Promise<void> {
  const redemption = new PendingRedemption();
  const engine = await runEngine(options, route, form, redemption);
  const issued = successBody(engine);
  if (issued) engine.body = await redemption.commit(options, route.site.id, form, issued);
  sendEngineResponse(engine, route.ctx);
}

async function revoke(options: TokenRouteOptions, route: RouteCall, form: Form): Promise<void> {
  sendEngineResponse(await runEngine(options, route, form), route.ctx);
}

/** Adds `aud`, which the engine returns for access tokens only. Specification: Audience binding 3. */
async function introspect(options: TokenRouteOptions, route: RouteCall, form: Form): Promise<void> {
  const engine = await runEngine(options, route, form);
  const found = successBody(engine);
  if (found && 'active' in found && found.active === true) engine.body = { ...found, aud: route.site.origin };
  sendEngineResponse(engine, route.ctx);
}

async function runEngine(
  { platform, engineOf }: TokenRouteOptions,
  { ctx, site }: RouteCall,
  form: Form,
  redemption?: PendingRedemption,
): Promise<EngineContext> {
  const request = new EngineRequest(ctx, site, platform, redemption);
  const engine = engineOf(site);
  const engineCtx = engine.context(request, ctx.path, stringify({ ...form }));
  await engine.handle(request, engineCtx);
  return engineCtx;
}

function successBody({ status, body }: EngineContext): object | undefined {
  return status === 200 && typeof body === 'object' && body !== null ? body : undefined;
}
