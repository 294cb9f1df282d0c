import type { Route } from '../../http/route.ts';
import type { RouteParts } from '../parts.ts';
import { peopleRoutes as pagesOf } from './pages/routes.ts';

/** The pages on which a school sees what a person has connected. */
export function peopleRoutes({ core, school, kit, paths, findEvents, tools }: RouteParts): readonly Route[] {
  if (paths.apps === undefined) return [];
  const { connections, endOfPerson } = school.connections;
  return pagesOf({
    path: paths.apps,
    kit,
    people: school.people,
    connections,
    endOfPerson,
    schoolRoles: school.apps.schoolRoles,
    requests: school.applications.requests,
    applicationsPath: paths.developers,
    clients: core.clients.find,
    limits: core.choices,
    findEvents,
    tools,
  });
}
