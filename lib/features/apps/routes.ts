import type { Route } from '../../http/route.ts';
import { activityRoute } from '../../pages/activity/route.ts';
import type { RouteParts } from '../parts.ts';
import { schoolConnectionRoutes } from './pages/routes.ts';

/** The pages on which a school decides on apps, and sees what they did. */
export function appsRoutes(parts: RouteParts): readonly Route[] {
  const { settings, core, school, kit, paths, preview, findEvents, tools } = parts;
  const path = paths.apps;
  if (path === undefined) return [];
  const { apps, appFacts, decide, reachOf, countByRole, findListed, schoolRoles, allApps, usedApps, countUnused } =
    school.apps;
  const { connections, clientRows, findClient, endOfPerson } = school.connections;
  const { documents, countWaiting, recordLookedUp } = school.reviews;
  const clients = core.clients.find;
  return [
    ...schoolConnectionRoutes({
      path,
      kit,
      clients,
      connections,
      clientRows,
      findClient,
      documents,
      recordLookedUp,
      apps,
      appFacts,
      decide,
      reachOf,
      countByRole,
      findListed,
      schoolRoles,
      allApps,
      usedApps,
      countWaiting,
      countUnused,
      people: school.people,
      endOfPerson,
      preview,
      ofPlatform: core.access.ofPlatform,
      limits: core.choices,
      requests: school.applications.requests,
      enabled: settings.enabled,
      applicationsPath: paths.developers,
      findEvents,
      tools,
    }),
    activityRoute({ path, kit, clients, limits: core.choices, findEvents, tools }),
  ];
}
