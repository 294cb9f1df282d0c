import { stringify } from 'node:querystring';
import { epochSeconds } from '../runtime/clock.ts';
import { InvalidClient, InvalidGrant } from '../protocol/errors.ts';
import type { OnAudit } from '../runtime/events.ts';
import type { HostPlatform } from '../host/platform.ts';
import { field, type Form, readForm } from '../http/body.ts';
import type { Route, RouteCall } from '../contracts/route.ts';
import { paths } from '../protocol/paths.ts';
import { EngineRequest, type PendingRedemption } from './engine-request.ts';
import type { EngineContext } from './engine.ts';
import type { EngineFinder } from './registry.ts';
import { sendEngineResponse } from './engine-response.ts';
import type { RecordStore } from '../records/record-store.ts';
import { type ReplayBinding, seal, unseal } from '../records/replay.ts';
import { canonicalResource } from './resource.ts';

/** What the endpoints that clients post to rest on. */
export interface TokenRouteOptions {
  readonly platform: HostPlatform;
  readonly engineOf: EngineFinder;
  readonly store: Pick<RecordStore, 'redeem'>;
  /** Seconds; see `Lifetimes.refreshGrace`. */
  readonly refreshGrace: number;
  readonly onAudit: OnAudit;
}

/** Token, revocation and introspection endpoints. */
export function tokenRoutes(options: TokenRouteOptions): Route[] {
  return [
    post(paths.token, (route, form) => token(options, route, form)),
    post(paths.revoke, (route, form) => forward(options, route, form)),
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

/** Only what the metadata lists is taken: `none` and `client_secret_post`. */
function refuseBasic({ ctx, site }: RouteCall): void {
  if (!/^basic\b/i.test(ctx.get('Authorization'))) return;
  throw new InvalidClient('HTTP Basic is not supported here; send client_id and client_secret in the body', {
    headers: { 'WWW-Authenticate': `Basic realm="${site.origin}"` },
  });
}

function canonicalForm(form: Form, origin: string): Form {
  // A hint may be ignored (RFC 7009 section 2.1), and a wrong one would cost a look-up more.
  field(form, 'token_type_hint');
  const { token_type_hint: _hint, ...kept } = form;
  const resource = field(form, 'resource');
  return resource === undefined ? kept : { ...kept, resource: canonicalResource(resource, origin) };
}

async function run(
  options: TokenRouteOptions,
  route: RouteCall,
  form: Form,
  redemption?: PendingRedemption,
): Promise<EngineContext> {
  const engine = options.engineOf(route.site);
  const call = new EngineRequest(route.ctx, route.site, options.platform, redemption);
  const ctx = engine.context(call, route.ctx.path, stringify({ ...form }));
  await engine.handle(call, ctx);
  return ctx;
}

async function forward(options: TokenRouteOptions, route: RouteCall, form: Form): Promise<void> {
  sendEngineResponse(await run(options, route, form), route.ctx);
}

/** Every token is bound to the origin; the engine says so of access tokens only. Specification: Audience binding 3. */
async function introspect(options: TokenRouteOptions, route: RouteCall, form: Form): Promise<void> {
  const engine = await run(options, route, form);
  const answer: unknown = engine.body;
  if (typeof answer === 'object' && answer !== null && 'active' in answer && answer.active === true) {
    engine.body = { ...answer, aud: route.site.origin };
  }
  sendEngineResponse(engine, route.ctx);
}

/**
 * The engine works out the answer and what is to be written; then all of it is written in one step, together with the
 * mark that the code or refresh token is used. Whoever loses that race gets nothing that was not issued to the winner.
 */
async function token(options: TokenRouteOptions, route: RouteCall, form: Form): Promise<void> {
  const redemption: PendingRedemption = { entries: [] };
  const engine = await run(options, route, form, redemption);
  const answer: unknown = engine.body;
  if (redemption.consumed && engine.status === 200 && typeof answer === 'object' && answer !== null) {
    const { consumed, entries, clientId, memberId } = redemption;
    const binding = replayBinding(route, form);
    const outcome = await options.store.redeem(route.site.id, {
      ...consumed,
      now: epochSeconds(),
      entries,
      replay:
        binding && options.refreshGrace > 0 ? { sealed: seal(binding, answer), ttl: options.refreshGrace } : undefined,
    });
    if (!outcome.won) engine.body = replayed(binding, outcome.replay);
    const what = consumed.kind === 'RefreshToken' ? 'refresh' : 'token';
    options.onAudit({ what, decision: 'allowed', siteId: route.site.id, clientId, memberId });
  }
  sendEngineResponse(engine, route.ctx);
}

/** A second try gets the very same answer within the grace window, if it is the same request. */
function replayed(binding: ReplayBinding | undefined, sealed: string | undefined): object {
  const answer = binding && sealed !== undefined ? unseal(binding, sealed) : undefined;
  if (answer) return answer;
  throw new InvalidGrant('another request has redeemed this a moment ago; use the answer that it got');
}

function replayBinding(route: RouteCall, form: Form): ReplayBinding | undefined {
  const { refresh_token: refreshToken, client_id: clientId, scope = '' } = form;
  if (typeof refreshToken !== 'string' || typeof clientId !== 'string') return undefined;
  return { siteId: route.site.id, refreshToken, clientId, scope: String(scope) };
}
