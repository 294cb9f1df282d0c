import type { Site } from '../contracts/platform.ts';
import type { HostPlatform } from '../host/platform.ts';
import type { Route, RouteCall } from '../contracts/route.ts';
import { paths } from '../protocol/paths.ts';
import { defaultScopes, splitScope } from '../protocol/scopes.ts';
import { EngineRequest } from './engine-request.ts';
import { sendEngineResponse } from './engine.ts';
import { describeRedirect } from './describe-redirect.ts';
import type { EngineFinder } from './registry.ts';
import { canonicalResource } from './resource.ts';

/** The authorization endpoint, and the address at which the engine resumes after an interaction. */
export function authorizeRoutes(platform: HostPlatform, engineOf: EngineFinder): Route[] {
  const run = async (route: RouteCall, url: string): Promise<void> => {
    const engine = engineOf(route.site);
    const request = new EngineRequest(route.ctx, route.site, platform);
    const ctx = engine.context(request, url);
    await engine.handle(request, ctx);
    sendEngineResponse(ctx, route.ctx);
    describeRedirect(route.ctx);
  };
  return [
    {
      path: paths.authorize,
      methods: ['GET'],
      kind: 'page',
      handle: (route) => run(route, `${paths.authorize}?${normalizedQuery(route).toString()}`),
    },
    {
      path: `${paths.authorize}/:id`,
      methods: ['GET'],
      kind: 'page',
      handle: (route) => run(route, `${paths.authorize}/${route.id}`),
    },
  ];
}

/** The query as the engine gets it: with the canonical resource, and with the default scopes if the client sent none. */
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

function canonical(name: string, value: string, { origin }: Site): string {
  if (name === 'resource') return canonicalResource(value, origin);
  // The engine would send its error in the requested mode if it knew that mode.
  return name === 'response_mode' && value !== '' && value !== 'query' ? 'unsupported' : value;
}
