import type { Route } from '../../http/route.ts';
import type { RouteParts } from '../parts.ts';
import { checkRoute } from './check-page.ts';

/** Where a person sees whether their assistant has arrived. */
export function assistantsRoutes({ core, school, kit, paths, mcp, findEvents, tools }: RouteParts): readonly Route[] {
  if (!mcp || paths.yourApps === undefined) return [];
  const { connections } = school.connections;
  return [checkRoute({ path: paths.yourApps, kit, connections, lifetimes: core.limits.lifetimes, findEvents, tools })];
}
