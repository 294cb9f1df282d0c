import { userinfoRoute } from './bearer/userinfo.ts';
import type { McpDescription, Plugin, PluginParts, ToolDescription } from './contracts/plugin.ts';
import type { Site } from './contracts/platform.ts';
import type { RegistrationExplanation } from './contracts/registration.ts';
import type { Route } from './contracts/route.ts';
import { documentRoutes } from './describe/routes.ts';
import { copyScriptRoute } from './pages/kit/copy.ts';
import { describeService } from './describe/service-description.ts';
import { faultWrapper } from './host/faults.ts';
import { deniedPage } from './interaction/denied.ts';
import { createLostSignInCheck, interactionRoutes } from './interaction/routes.ts';
import type { Settings } from './options/options.ts';
import { applicationRoutes } from './pages/applications/routes.ts';
import { type AssistantOptions, withAssistantPages } from './pages/assistants.ts';
import { type AlwaysOpen, alwaysOpen } from './pages/kit/always-sees.ts';
import { requestRoutes } from './pages/requests.ts';
import { connectedAppsRoutes } from './pages/connected-apps/routes.ts';
import { maxEvents, readEvents } from './pages/school-connections/list-page.ts';
import { schoolConnectionRoutes } from './pages/school-connections/routes.ts';
import { checkRoute } from './pages/set-up/check-page.ts';
import { pathsOverlap } from './protocol/option-schemas.ts';
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
  const { catalogue } = settings;
  const { pages, registrationPolicies: policies } = services;
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
  const tools = mcp?.description.tools ?? [];
  const names = [
    ...(memberApi?.description.open ?? []),
    ...tools.filter(needsNoScope).map(({ name }) => `tool.${name}`),
  ];
  const open = alwaysOpen(names, settings.claims !== undefined, settings.pages.texts);
  const routes = [
    ...documentRoutes(services, description, pages, services.programRules),
    copyScriptRoute,
    ...engineRoutes({ ...services, resources, showDenied: deniedPage(services) }),
    ...interactionRoutes({
      ...services,
      ...services.consenting,
      signInLost: createLostSignInCheck(services.onFault),
      connectedApps,
      open,
      extendRegistration: extendUsedRegistrations(services),
    }),
    userinfoRoute(services),
    ...when(policies.length > 0, () => [registrationRoute({ ...services, limit: services.limiter('registrations') })]),
    ...memberPages(settings, services, { open, mcp: mcp?.description }),
    ...(memberApi?.routes ?? []),
    ...(mcp ? withAssistantPages(setUpOptions(settings, services), mcp) : []),
  ];
  return { routes, tools };
}

interface SetUpPaths {
  readonly applicationsPath: string | undefined;
  readonly requestsPath: string | undefined;
  readonly checkPath: string | undefined;
}

/** The pages on which members ask for applications and check a program are below their connected apps. */
function setUpPaths({ pages: { applications: applicationsPath, connectedApps: path } }: Settings): SetUpPaths {
  if (path === undefined) return { applicationsPath, requestsPath: undefined, checkPath: undefined };
  return { applicationsPath, requestsPath: `${path}/requests`, checkPath: `${path}/check` };
}

function setUpOptions(settings: Settings, services: Services): AssistantOptions {
  const { programRules: rules } = services;
  return { ...services, ...setUpPaths(settings), rules, openToPrograms: isOpen(settings) };
}

/** Whether programs get in that nobody has created an application for. */
function isOpen({ registration, metadataDocuments }: Settings): boolean {
  return registration.length > 0 || metadataDocuments !== undefined;
}

interface Mounted {
  readonly open: AlwaysOpen;
  readonly mcp: McpDescription | undefined;
}

function memberPages(settings: Settings, services: Services, { open, mcp }: Mounted): Route[] {
  const { pages: paths } = settings;
  const { applications: applicationsPath, connections: connectionsPath, recentEvents } = paths;
  const explain = (site: Site, body: unknown): Promise<RegistrationExplanation> =>
    explainRegistration(services, site, body);
  const findEvents = (max: number) =>
    recentEvents &&
    faultWrapper(services.onFault)('pages.recentEvents', async (site: Site) =>
      readEvents(await recentEvents(site), max),
    );
  const setUp = { endpoints: mcp?.endpoints ?? [], ...setUpPaths(settings) };
  return [
    ...when(applicationsPath, (path) =>
      applicationRoutes({
        ...services,
        path,
        issuer: services.applicationIssuer,
        secrets: services.oneTimeSecrets,
        connectionsPath,
        ...setUp,
        explain: services.registrationPolicies.length > 0 ? explain : undefined,
      }),
    ),
    ...when(connectionsPath, (path) =>
      schoolConnectionRoutes({ ...services, path, applicationsPath, findEvents: findEvents(maxEvents.shown) }),
    ),
    ...when(paths.connectedApps, (path) => connectedAppsRoutes({ ...services, path, open })),
    ...when(mcp && setUp.requestsPath, (path) => requestRoutes({ ...services, ...setUp, path })),
    ...when(mcp && paths.connectedApps, (path) => [
      checkRoute({ ...services, path, findEvents: findEvents(maxEvents.searched) }),
    ]),
  ];
}

/** Whether any token can call it, at least with one of its actions. */
function needsNoScope({ access }: ToolDescription): boolean {
  if (access === 'public' || access.scopes.length > 0) return false;
  return !access.actions || Object.values(access.actions.scopes).some((scopes) => scopes.length === 0);
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
