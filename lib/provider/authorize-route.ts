import type { GuardedPlatform } from '../faults.ts';
import type { Route, RouteCall } from '../http/route.ts';
import { paths } from '../paths.ts';
import { defaultScopes } from '../scopes.ts';
import { EngineCall } from './call.ts';
import type { EngineFinder } from './registry.ts';
import { answerFrom } from './engine-answer.ts';
import { canonicalResource } from './resource.ts';

/** The authorization endpoint, and the address at which the engine goes on after an interaction. */
export function authorizeRoutes(platform: GuardedPlatform, engineOf: EngineFinder): Route[] {
  const run = async (route: RouteCall, url: string): Promise<void> => {
    const engine = engineOf(route.site);
    const call = new EngineCall(route.ctx, route.site, platform);
    const ctx = engine.context(call, url);
    await engine.handle(call, ctx);
    answerFrom(ctx, route.ctx);
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

/** The query with the canonical resource, and the default scopes where a client sends none. */
function normalized({ ctx, site }: RouteCall): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(ctx.querystring)) {
    parameters.append(name, name === 'resource' ? canonicalResource(value, site.origin) : value);
  }
  if (!parameters.get('scope')) parameters.set('scope', defaultScopes.join(' '));
  return parameters;
}
