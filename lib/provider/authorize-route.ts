import type { Site } from '../contracts/platform.ts';
import type { HostPlatform } from '../host/platform.ts';
import type { Route, RouteCall } from '../contracts/route.ts';
import { paths } from '../protocol/paths.ts';
import { defaultScopes, splitScope } from '../protocol/scopes.ts';
import { EngineRequest } from './engine-request.ts';
import { describeRedirect } from './describe-redirect.ts';
import type { EngineFinder } from './registry.ts';
import { sendEngineResponse } from './engine-response.ts';
import { canonicalResource } from './resource.ts';

/** The authorization endpoint, and the address at which the engine goes on after an interaction. */
export function authorizeRoutes(platform: HostPlatform, engineOf: EngineFinder): Route[] {
  const run = async (route: RouteCall, url: string): Promise<void> => {
    const engine = engineOf(route.site);
    const call = new EngineRequest(route.ctx, route.site, platform);
    const ctx = engine.context(call, url);
    await engine.handle(call, ctx);
    sendEngineResponse(ctx, route.ctx);
    describeRedirect(route.ctx);
  };
  return [
    {
      path: paths.authorize,
      methods: ['GET'],
      kind: 'page',
      handle: (route) => run(route, `${paths.authorize}?${normalized(route).toString()}`),
    },
    {
      path: `${paths.authorize}/:id`,
      methods: ['GET'],
      kind: 'page',
      handle: (route) => run(route, `${paths.authorize}/${route.id}`),
    },
  ];
}

/**
 * The query with the canonical resource, and the default scopes where a client sends none. A response mode that is not
 * there is given a name that the engine does not know, so that its refusal does not come in that very mode.
 */
function normalized({ ctx, site }: RouteCall): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(ctx.querystring))
    parameters.append(name, canonical(name, value, site));
  const scopes = parameters.getAll('scope');
  if (scopes.length < 2 && !scopes[0]) parameters.set('scope', defaultScopes.join(' '));
  // A nonce is for an ID token; without one the engine would refuse it.
  if (!splitScope(parameters.get('scope') ?? '').includes('openid')) parameters.delete('nonce');
  return parameters;
}

function canonical(name: string, value: string, { origin }: Site): string {
  if (name === 'resource') return canonicalResource(value, origin);
  return name === 'response_mode' && value !== '' && value !== 'query' ? 'unsupported' : value;
}
