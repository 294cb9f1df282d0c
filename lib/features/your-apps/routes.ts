import type { Route } from '../../http/route.ts';
import type { RouteParts } from '../parts.ts';
import { yourAppsRoutes as pagesOf } from './pages/routes.ts';

/** The pages of what a person has connected. */
export function yourAppsRoutes(parts: RouteParts): readonly Route[] {
  const { core, school, kit, paths, mcp, open, findEvents, tools } = parts;
  if (paths.yourApps === undefined) return [];
  const { connections, demandedLimits, leftByRules } = school.connections;
  return pagesOf({
    path: paths.yourApps,
    kit,
    connections,
    limits: core.choices,
    demandedLimits,
    leftByRules,
    requests: school.applications.requests,
    requestsPath: paths.requests,
    connectPath: mcp?.endpoints[0]?.path,
    open,
    emailAccess: core.access.emailAccess,
    accessSeconds: (site) => core.limits.lifetimes(site).accessToken,
    findEvents,
    news: core.news,
    personalNews: school.connections.news,
    endpoints: mcp?.endpoints ?? [],
    appsPath: paths.apps,
    tools,
  });
}
