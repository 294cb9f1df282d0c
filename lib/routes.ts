import { userinfoRoute } from './core/bearer/userinfo.ts';
import type { McpDescription, Plugin, PluginParts, ToolDescription } from './plugins/plugin.ts';
import type { Site } from './host/school-platform.ts';
import type { RegistrationExplanation } from './registration/registration-policy.ts';
import type { Route } from './http/route.ts';
import { documentRoutes } from './describe/routes.ts';
import { featureExamples } from './features/features.ts';
import { copyScriptRoute } from './pages/kit/copy.ts';
import { exampleEvents } from './gallery/example-events.ts';
import type { ExampleServices } from './gallery/example-services.ts';
import { examplePaths } from './gallery/entries.ts';
import { galleryRoutes } from './gallery/route.ts';
import { describeService } from './describe/service-description.ts';
import { deniedPage } from './interaction/denied.ts';
import type { InteractionOptions } from './interaction/interaction-context.ts';
import { createLostSignInCheck, interactionRoutes } from './interaction/routes.ts';
import type { Settings } from './options/options.ts';
import { eventsFinder } from './pages/activity/events.ts';
import { activityRoute } from './pages/activity/route.ts';
import { toolSentences } from './pages/activity/sentences.ts';
import { applicationRoutes } from './pages/applications/routes.ts';
import { withAssistantPages } from './pages/assistants.ts';
import { type AlwaysOpen, alwaysOpen } from './pages/kit/always-sees.ts';
import { consentPreview } from './pages/consent-preview.ts';
import { consoles } from './pages/kit/console.ts';
import { requestRoutes } from './pages/requests.ts';
import { connectedAppsRoutes } from './pages/connected-apps/routes.ts';
import { schoolConnectionRoutes } from './pages/school-connections/routes.ts';
import { checkRoute } from './pages/set-up/check-page.ts';
import { pathsOverlap } from './kernel/option-schemas.ts';
import { siteResources } from './core/scopes/protected-resources.ts';
import { optionError } from './kernel/validate.ts';
import { engineRoutes } from './engine/routes.ts';
import { explainRegistration, extendUsedRegistrations, registrationRoute } from './registration/route.ts';
import type { Services } from './services.ts';

interface CampusRoutes {
  readonly routes: readonly Route[];
  readonly tools: readonly ToolDescription[];
}

/** Every route of a campus. Specification: Endpoints. @throws TypeError if a page and an address of the tools overlap */
export function createRoutes(settings: Settings, services: Services): CampusRoutes {
  const { catalogue } = settings;
  const { pages, onFault, offered, registrationPolicies: policies } = services;
  const { applications: applicationsPath, connectedApps, connections, gallery } = settings.pages;
  const memberApi = mounted(settings.memberApi, services);
  const mcp = mounted(settings.mcp, services);
  const parts = [mcp, memberApi].flatMap((plugin) => plugin?.resources ?? []);
  const resources = siteResources(catalogue, parts);
  for (const { path } of mcp?.resources ?? [])
    checkNotUnder(path, [applicationsPath, connectedApps, connections, gallery]);
  const { features, engineFeatures } = services;
  const described = features.map((feature) => feature.described);
  const api = { memberApi: memberApi?.description, mcp: mcp?.description };
  const plugins = { ...api, resources, offered, features: described };
  const description = describeService(settings, plugins);
  const tools = mcp?.description.tools ?? [];
  const names = [
    ...(memberApi?.description.open ?? []),
    ...tools.filter(needsNoScope).map(({ name }) => `tool.${name}`),
  ];
  const open = alwaysOpen(names, settings.claims !== undefined, settings.pages.texts);
  const explain = (site: Site, body: unknown): Promise<RegistrationExplanation> =>
    explainRegistration(services, site, body);
  const preview = consentPreview({ ...services, open, connectedApps });
  const shown = { open, mcp };
  const interaction = interactionOptions(services, { connectedApps, open });
  const routes = [
    ...documentRoutes(services, description, pages, services.programRules),
    copyScriptRoute,
    ...engineRoutes({ ...services, resources, showDenied: deniedPage(services), features: engineFeatures }),
    ...interactionRoutes(interaction),
    ...features.flatMap((feature) => feature.routes?.(interaction) ?? []),
    userinfoRoute(services),
    ...when(policies.length > 0, () => [registrationRoute({ ...services, limit: services.limiter('registrations') })]),
    ...pageRoutes(settings, { ...services, explain: policies.length > 0 ? explain : undefined, preview }, shown),
    ...(memberApi?.routes ?? []),
    ...when(process.env['NODE_ENV'] !== 'production' && gallery, (path) =>
      galleryRoutes({
        path,
        pages,
        catalogue,
        open,
        ofFeatures: featureExamples(),
        service: (site) => ({
          ...description,
          signs: true,
          lifetimes: services.lifetimes(site),
          limits: services.limits(site),
        }),
        routesOf: (examples) =>
          pageRoutes(exampleSettings(settings), { ...examples, catalogue, offered, onFault }, shown),
      }),
    ),
  ];
  return { routes, tools };
}

/** What the pages of an authorization request are made from. */
function interactionOptions(
  services: Services,
  shown: Pick<InteractionOptions, 'connectedApps' | 'open'>,
): InteractionOptions {
  return {
    ...services,
    ...services.consenting,
    ...shown,
    signInLost: createLostSignInCheck(services.onFault),
    extendRegistration: extendUsedRegistrations(services),
  };
}

/** The pages on which members ask for applications and check a program are below their connected apps. */
function setUpPaths({ pages: { applications: applicationsPath, connectedApps: path } }: Settings) {
  if (path === undefined) return { applicationsPath, requestsPath: undefined, checkPath: undefined };
  return { applicationsPath, requestsPath: `${path}/requests`, checkPath: `${path}/check` };
}

/** Whether programs get in that nobody has created an application for. */
function isOpen({ registration, metadataDocuments }: Settings): boolean {
  return registration.length > 0 || metadataDocuments !== undefined;
}

interface Mounted {
  readonly open: AlwaysOpen;
  readonly mcp: PluginParts<McpDescription> | undefined;
}

/** Everything that reads or writes has an example, so that the gallery reaches nothing else. */
type PageServices = ExampleServices & Pick<Services, 'pages' | 'catalogue' | 'offered' | 'onFault'>;

/** The pages of operators and members, and the addresses of the tools. */
function pageRoutes(settings: Settings, given: PageServices, { open, mcp }: Mounted): Route[] {
  const { pages: paths } = settings;
  const { applications: applicationsPath, connections: connectionsPath, recentEvents } = paths;
  const findEvents = eventsFinder(recentEvents, given.onFault);
  const setUp = { endpoints: mcp?.description.endpoints ?? [], ...setUpPaths(settings) };
  const services = { ...given, consoles: consoles({ ...paths, requests: mcp && setUp.requestsPath }) };
  const activity = { ...services, findEvents, tools: toolSentences(mcp?.description.tools ?? [], paths.texts) };
  const toPrograms = { rules: services.programRules, openToPrograms: isOpen(settings) };
  return [
    ...when(applicationsPath, (path) =>
      applicationRoutes({
        ...services,
        path,
        issuer: services.applicationIssuer,
        secrets: services.oneTimeSecrets,
        ...setUp,
      }),
    ),
    ...when(connectionsPath, (path) => [
      ...schoolConnectionRoutes({ ...activity, path, applicationsPath }),
      activityRoute({ ...activity, path }),
    ]),
    ...when(paths.connectedApps, (path) => connectedAppsRoutes({ ...activity, path, open })),
    ...when(mcp && setUp.requestsPath, (path) => requestRoutes({ ...services, ...setUp, path })),
    ...when(mcp && paths.connectedApps, (path) => [checkRoute({ ...services, path, findEvents })]),
    ...when(mcp, (parts) => withAssistantPages({ ...services, ...setUp, ...toPrograms }, parts)),
  ];
}

/** The pages that are on are at the paths of the examples, with a log. */
function exampleSettings(settings: Settings): Settings {
  const { applications, connections, connectedApps } = settings.pages;
  const pages = {
    ...settings.pages,
    applications: applications && examplePaths.applications,
    connections: connections && examplePaths.connections,
    connectedApps: connectedApps && examplePaths.connectedApps,
    recentEvents: ({ id }: Site) => exampleEvents(id),
  };
  return { ...settings, pages };
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
