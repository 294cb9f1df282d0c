import { stringify } from 'node:querystring';
import type { Context } from 'koa';
import type { Allowance } from '../clients/allowance.ts';
import type { ClientFinder } from '../clients/finder.ts';
import type { Site } from '../contracts/platform.ts';
import type { Route } from '../contracts/route.ts';
import { PendingRedemption, type RedemptionOptions } from '../grants/redemption.ts';
import type { HostPlatform } from '../host/platform.ts';
import { type Form, readForm } from '../http/body.ts';
import { InvalidClient } from '../protocol/errors.ts';
import { paths } from '../protocol/paths.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import { optional, storedId, text } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';
import type { EngineContext, EngineFinder } from './engine.ts';
import { describeRedirect } from './engine-errors.ts';
import { EngineRequest } from './engine-request.ts';
import { checkQuerySize } from './parameters.ts';
import { type RequestNormalizer, requestNormalizer, type SiteResources } from './normalized-request.ts';

interface EngineRouteOptions extends RedemptionOptions {
  readonly store: Pick<RecordStore, 'find' | 'redeem'>;
  readonly platform: HostPlatform;
  readonly clients: ClientFinder;
  readonly allowance: Allowance;
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
    page(paths.authorize, ({ ctx, site }) => startAuthorization(routes, new EngineRequest(ctx, site, routes))),
    // The engine resumes here after an interaction.
    page(`${paths.authorize}/:id`, ({ ctx, site, id }) =>
      authorize(routes, new EngineRequest(ctx, site, routes), `${paths.authorize}/${id}`),
    ),
    post(routes, paths.token, token),
    post(routes, paths.revoke, async (_routes, request, form) => send(request, await runForm(routes, request, form))),
    post(routes, paths.introspect, introspect),
  ];
}

function page(path: string, handle: Route['handle']): Route {
  return { path, methods: ['GET'], kind: 'page', handle };
}

type FormHandler = (routes: EngineRoutes, request: EngineRequest, form: Form) => Promise<void>;

function post(routes: EngineRoutes, path: string, handle: FormHandler): Route {
  return {
    path,
    methods: ['POST'],
    kind: 'api',
    handle: async ({ ctx, site }) => {
      refuseBasic(ctx, site);
      const redemption = path === paths.token ? new PendingRedemption() : undefined;
      const request = new EngineRequest(ctx, site, routes, redemption);
      const form = await routes.normalize.form(await readForm(ctx), site.origin, (refreshToken) =>
        scopesOfRefreshToken(routes, site, refreshToken),
      );
      await handle(routes, request, form);
    },
  };
}

async function startAuthorization(routes: EngineRoutes, request: EngineRequest): Promise<void> {
  const { querystring } = request.ctx;
  checkQuerySize(querystring);
  const query = await routes.normalize.query(querystring, request.site.origin, (clientId) =>
    scopesOfClient(routes, request, clientId),
  );
  await authorize(routes, request, `${paths.authorize}?${query.toString()}`);
}

async function authorize(routes: EngineRoutes, request: EngineRequest, url: string): Promise<void> {
  const { ctx } = request;
  send(request, await runEngine(routes, request, url));
  describeRedirect(ctx, routes.catalogue);
}

/** The engine works out the response, then everything that it wants to store is committed at once. */
async function token(routes: EngineRoutes, request: EngineRequest, form: Form): Promise<void> {
  const engine = await runForm(routes, request, form);
  const response = successBody(engine);
  const { redemption, reads, site } = request;
  if (response && redemption) {
    const { familyId } = reads.token ?? {};
    const answered = { siteId: site.id, form, response, familyId, grant: reads.grant };
    engine.body = await redemption.commit(routes, answered);
  }
  send(request, engine);
}

/** Adds `aud`, which the engine returns for access tokens only. Specification: Audience binding 3. */
async function introspect(routes: EngineRoutes, request: EngineRequest, form: Form): Promise<void> {
  // Resource servers have access tokens. Without a hint the engine looks for a refresh token at the same time.
  const engine = await runForm(routes, request, { ...form, token_type_hint: 'access_token' });
  const found = successBody(engine);
  if (found && 'active' in found && found.active === true) {
    // The engine has the scopes that the token was issued with. Since then the grant or the client may have lost some.
    const { grant, token: { record = {} } = {} } = request.reads;
    const granted = splitScope(grant && optional(grant.record, 'scope', text));
    const isAllowed = await request.allowed(text(record, 'clientId'), text(record, 'accountId'));
    const isLeft = (scope: string): boolean => granted.includes(scope) && isAllowed?.(scope) === true;
    const scopes = 'scope' in found ? splitScope(String(found.scope)).filter(isLeft) : [];
    engine.body = { ...found, ...('scope' in found && { scope: scopes.join(' ') }), aud: request.site.origin };
  }
  send(request, engine);
}

function runForm(routes: EngineRoutes, request: EngineRequest, form: Form): Promise<EngineContext> {
  return runEngine(routes, request, request.ctx.path, stringify({ ...form }));
}

async function runEngine(
  { engineOf }: EngineRoutes,
  request: EngineRequest,
  url: string,
  form?: string,
): Promise<EngineContext> {
  const engine = engineOf(request.site);
  const ctx = engine.context(request, url, form);
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
  { id }: Site,
  refreshToken: string,
): Promise<string[] | undefined> {
  const found = await store.find(id, 'RefreshToken', storedId('RefreshToken', refreshToken));
  return found && splitScope(optional(found.record, 'scope', text));
}

/** Sends the engine's response through the host's context. Both write to one response, so its headers are set already. */
function send({ ctx }: EngineRequest, { status, body }: EngineContext): void {
  ctx.body = body;
  ctx.status = status;
  if (status === 503 && !ctx.response.get('Retry-After')) ctx.set('Retry-After', '1');
}

function successBody({ status, body }: EngineContext): object | undefined {
  return status === 200 && typeof body === 'object' && body !== null ? body : undefined;
}

/** The engine accepts HTTP Basic, which the metadata does not list. */
function refuseBasic(ctx: Context, site: Site): void {
  if (!/^basic\b/i.test(ctx.get('Authorization'))) return;
  throw new InvalidClient('HTTP Basic is not supported here; send client_id and client_secret in the body', {
    headers: { 'WWW-Authenticate': `Basic realm="${site.origin}"` },
  });
}
