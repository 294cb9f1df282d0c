import { signedWith } from '../../core/keys/keys.ts';
import type { Route } from '../../http/route.ts';
import type { RouteParts } from '../parts.ts';
import { requestRoutes } from './pages/ask-school.ts';
import { applicationRoutes } from './pages/routes.ts';

/** The pages of applications, for administrators, and those on which members ask for one. */
export function applicationsRoutes(parts: RouteParts): readonly Route[] {
  const { paths } = parts;
  return [
    ...(paths.developers === undefined ? [] : ofAdministrators(parts, paths.developers)),
    ...(paths.requests === undefined ? [] : ofMembers(parts, paths.requests)),
  ];
}

function ofAdministrators(parts: RouteParts, path: string): readonly Route[] {
  const { settings, core, school, kit, paths, fields, mcp, preview, explain } = parts;
  const { applications, requests, issuer, secrets } = school.applications;
  const { apps, findListed, schoolRoles } = school.apps;
  return applicationRoutes({
    path,
    kit,
    catalogue: settings.catalogue,
    enabled: settings.enabled,
    fields,
    idTokenAlgorithms: (site) => signedWith(core.keys.of(site)),
    applications,
    requests,
    issuer,
    secrets,
    clients: core.clients.find,
    apps,
    findListed,
    schoolRoles,
    documents: school.reviews.documents,
    ofPlatform: core.access.ofPlatform,
    connectionsPath: paths.apps,
    endpoints: mcp?.endpoints ?? [],
    preview,
    explain,
    checkPath: paths.check,
  });
}

function ofMembers({ settings, core, school, kit, paths, fields, mcp }: RouteParts, path: string): readonly Route[] {
  const { applications, requests } = school.applications;
  return requestRoutes({
    path,
    kit,
    catalogue: settings.catalogue,
    enabled: settings.enabled,
    fields,
    requests,
    applications,
    clients: core.clients.find,
    endpoints: mcp?.endpoints ?? [],
    checkPath: paths.check,
  });
}
