import { userinfoRoute } from './bearer/userinfo.ts';
import type { McpDescription, Plugin, PluginParts, ToolDescription } from './contracts/plugin.ts';
import type { Site } from './contracts/platform.ts';
import type { RegistrationExplanation } from './contracts/registration.ts';
import type { Route } from './contracts/route.ts';
import { documentRoutes } from './describe/routes.ts';
import { copyScriptRoute } from './pages/kit/copy.ts';
import { describeService } from './describe/service-description.ts';
import { faultWrapper } from './host/faults.ts';
import { createLostSignInCheck, interactionRoutes } from './interaction/routes.ts';
import type { Settings } from './options/options.ts';
import { applicationRoutes } from './pages/applications/routes.ts';
import { withAssistantPages } from './pages/assistants.ts';
import { requestRoutes } from './pages/requests.ts';
import { connectedAppsRoutes } from './pages/connected-apps/routes.ts';
import { shownEvents } from './pages/school-connections/list-page.ts';
import { schoolConnectionRoutes } from './pages/school-connections/routes.ts';
import { pathsOverlap } from './protocol/option-schemas.ts';
import { identityScopes, type Scope, type ScopeCatalogue } from './protocol/scopes.ts';
import { siteResources } from './protocol/protected-resources.ts';
import { optionError } from './protocol/validate.ts';
import { engineRoutes } from './provider/routes.ts';
import { explainRegistration, extendUsedRegistrations, registrationRoute } from './registration/route.ts';
import type { Services } from './services.ts';

interface CampusRoutes {
  readonly routes: readonly Route[];
  readonly tools: readonly ToolDescription[];
}

/** Every route of a campus. Specification: Endpoints. @throws TypeError if a page and an address of the tools overlap */
export function createRoutes(settings: Settings, services: Services): CampusRoutes {
  const { lifetimes, limits, catalogue } = settings;
  const { store, pages, registrationPolicies: policies } = services;
  const { applications: applicationsPath, connectedApps, connections } = settings.pages;
  const memberApi = mounted(settings.memberApi, services);
  const mcp = mounted(settings.mcp, services);
  const resources = siteResources(
    catalogue,
    [mcp, memberApi].flatMap((parts) => parts?.resources ?? []),
  );
  for (const { path } of mcp?.resources ?? []) checkNotUnder(path, [applicationsPath, connectedApps, connections]);
  const plugins = { memberApi: memberApi?.description, mcp: mcp?.description, resources };
  const description = describeService(settings, plugins);
  const routes = [
    ...documentRoutes(services.keys, description, pages),
    copyScriptRoute,
    ...engineRoutes({ ...services, resources, refreshGrace: lifetimes.refreshGrace, limits }),
    ...interactionRoutes({
      ...services,
      ...services.consenting,
      signInLost: createLostSignInCheck(services.onFault),
      connectedApps,
      memberApi: memberApi !== undefined,
      extendRegistration: extendUsedRegistrations(store, lifetimes.grant),
    }),
    userinfoRoute(services),
    ...when(policies.length > 0, () => [registrationRoute({ ...services, limit: services.limiter('registrations') })]),
    ...memberPages(settings, services, { memberApi: memberApi !== undefined, mcp: mcp?.description }),
    ...(memberApi?.routes ?? []),
    ...(mcp ? withAssistantPages(pages, mcp, { applicationsPath, requestsPath: requestsPath(connectedApps) }) : []),
  ];
  return { routes, tools: mcp?.description.tools ?? [] };
}

/** The page on which members ask for applications is below their connected apps. */
function requestsPath(connectedApps: string | undefined): string | undefined {
  return connectedApps === undefined ? undefined : `${connectedApps}/requests`;
}

interface Mounted {
  readonly memberApi: boolean;
  readonly mcp: McpDescription | undefined;
}

function memberPages({ pages: paths }: Settings, services: Services, { memberApi, mcp }: Mounted): Route[] {
  const { applications: applicationsPath, connections: connectionsPath, recentEvents } = paths;
  const explain = (site: Site, body: unknown): Promise<RegistrationExplanation> =>
    explainRegistration(services, site, body);
  const findEvents =
    recentEvents &&
    faultWrapper(services.onFault)('pages.recentEvents', async (site: Site) => shownEvents(await recentEvents(site)));
  return [
    ...when(applicationsPath, (path) =>
      applicationRoutes({
        ...services,
        path,
        issuer: services.applicationIssuer,
        secrets: services.oneTimeSecrets,
        connectionsPath,
        toolScopes: toolScopes(services.catalogue, mcp),
        explain: services.registrationPolicies.length > 0 ? explain : undefined,
      }),
    ),
    ...when(connectionsPath, (path) => schoolConnectionRoutes({ ...services, path, applicationsPath, findEvents })),
    ...when(paths.connectedApps, (path) => connectedAppsRoutes({ ...services, path, memberApi })),
    ...when(mcp && requestsPath(paths.connectedApps), (path) =>
      requestRoutes({ ...services, path, endpoints: mcp?.endpoints ?? [] }),
    ),
  ];
}

/** The identity scopes, and what tools need of members; without such tools, all that members can allow. */
function toolScopes({ rows, mayHave }: ScopeCatalogue, mcp: McpDescription | undefined): readonly Scope[] {
  const needed = (mcp?.tools ?? []).flatMap(({ access }) => (access === 'public' ? [] : access.scopes));
  const ofMembers = rows.map(({ scope }) => scope).filter((scope) => mayHave('member', scope));
  const wanted = new Set<string>([...identityScopes, ...needed]);
  return needed.some((scope) => ofMembers.includes(scope)) ? ofMembers.filter((scope) => wanted.has(scope)) : ofMembers;
}

function checkNotUnder(path: string, pages: readonly (string | undefined)[]): void {
  const page = pages.find((taken) => taken && pathsOverlap(path, taken));
  const demand = `not lie at or under ${page}, which is a page; see mcp.operatorPath, mcp.memberPath and pages`;
  if (page !== undefined) throw optionError(path, demand);
}

function mounted<D>(plugin: Plugin<D> | undefined, services: Services): PluginParts<D> | undefined {
  const { verify, quotas, onFault, onAudit, catalogue } = services;
  return plugin?.mount({ verify, quotas, onFault, onAudit, catalogue });
}

function when<T>(option: T | false | undefined, routes: (option: T) => Route[]): Route[] {
  return option === undefined || option === false ? [] : routes(option);
}
