import type { Enabled } from './core/enabled/enabled.ts';
import type { ScopeCatalogue } from './core/scopes/scopes.ts';
import type { IdTokenAlgorithm } from './core/keys/keys.ts';
import type { LimitChoices } from './core/boundaries/limit-choices.ts';
import type { DecisionByRules } from './core/decisions/decision-by-rules.ts';
import type { ApplicationPagesOptions } from './features/applications/pages/page-request.ts';
import type { DemandedLimits } from './features/connected-apps/domain/demanded-limits.ts';
import type { Site } from './host/school-platform.ts';
import type { Route, RouteCall } from './http/route.ts';
import type { OnFault } from './observe/events.ts';
import type { Settings } from './options/options.ts';
import { eventsFinder } from './pages/activity/events.ts';
import { activityRoute } from './pages/activity/route.ts';
import { toolSentences } from './pages/activity/sentences.ts';
import { applicationRoutes } from './features/applications/pages/routes.ts';
import type { ApplicationField } from './pages/kit/application-field.ts';
import type { ToolPages, ToolPageSources } from './pages/tool-pages.ts';
import { connectedAppsRoutes } from './features/connected-apps/pages/routes.ts';
import type { AlwaysOpen } from './pages/kit/always-sees.ts';
import { consoles as consolesAt, requestsUnder } from './pages/kit/console.ts';
import type { PageKit } from './pages/kit/page-access.ts';
import type { Pages } from './pages/kit/pages.ts';
import { requestRoutes } from './features/applications/pages/ask-school.ts';
import { schoolConnectionRoutes, type SchoolConnectionsOptions } from './features/programs/pages/routes.ts';
import type { SetUpPaths } from './pages/set-up/steps.ts';
import type { McpDescription, PluginParts } from './plugin-contract/plugin.ts';

/** What the pages read and write. */
export interface PageSources
  extends
    Pick<PageKit, 'platform' | 'access' | 'csrfTokens' | 'limitPages'>,
    Pick<ApplicationPagesOptions, 'applications' | 'requests' | 'preview' | 'platformRule'>,
    Pick<
      SchoolConnectionsOptions,
      | 'clients'
      | 'connections'
      | 'clientRows'
      | 'documents'
      | 'recordLookedUp'
      | 'programs'
      | 'schoolRoles'
      | 'findApps'
      | 'approvable'
    > {
  readonly applicationIssuer: ApplicationPagesOptions['issuer'];
  readonly oneTimeSecrets: ApplicationPagesOptions['secrets'];
  readonly limitChoices: LimitChoices;
  readonly demandedLimits: DemandedLimits;
  readonly programDecisions: (site: Site) => Promise<ReadonlyMap<string, DecisionByRules>>;
  /** Absent if nobody can register here. */
  readonly explain: ApplicationPagesOptions['explain'];
  readonly pages: Pages;
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
  /** How ID tokens can be signed at a school now. */
  readonly idTokenAlgorithms: (site: Site) => readonly IdTokenAlgorithm[];
  readonly onFault: OnFault;
}

interface Mounted {
  readonly open: AlwaysOpen;
  readonly mcp: PluginParts<McpDescription> | undefined;
  /** Whether programs get in that nobody has created an application for. */
  readonly openToPrograms: boolean;
  /** What features add to the form of an application. */
  readonly fields: readonly ApplicationField[];
  /** The pages of features for people who connect a program to the tools. At most one has a page at their addresses. */
  readonly toolPages: readonly ToolPages[];
}

/** The pages of administrators and members, and the addresses of the tools. */
export function pageRoutes(
  settings: Settings,
  sources: PageSources,
  { open, mcp, openToPrograms, fields, toolPages }: Mounted,
): Route[] {
  const { platform, access, csrfTokens, limitPages, pages, catalogue, enabled, clients, idTokenAlgorithms } = sources;
  const {
    applications,
    requests,
    connections,
    programs,
    schoolRoles,
    findApps,
    clientRows,
    documents,
    preview,
    approvable,
    explain,
  } = sources;
  const { applicationIssuer: issuer, oneTimeSecrets: secrets, programDecisions } = sources;
  const { texts, recentEvents, ...paths } = settings.pages;
  const { applicationsPath, requestsPath, checkPath } = setUpPaths(settings, toolPages);
  const consoles = consolesAt({
    connections: paths.connections,
    applications: paths.applications,
    connectedApps: paths.connectedApps,
    requests: mcp && requestsPath,
  });
  const countRequests = requestCounter(applicationsPath, requests);
  const kit: PageKit = { platform, access, csrfTokens, limitPages, pages, consoles, countRequests };
  const endpoints = mcp?.description.endpoints ?? [];
  const tools = toolSentences(mcp?.description.tools ?? [], texts, catalogue);
  const findEvents = eventsFinder(recentEvents, sources.onFault);
  return [
    ...when(applicationsPath, (path) =>
      applicationRoutes({
        path,
        kit,
        catalogue,
        enabled,
        fields,
        idTokenAlgorithms,
        applications,
        requests,
        clients,
        programs,
        platformRule: sources.platformRule,
        connectionsPath: paths.connections,
        endpoints,
        issuer,
        secrets,
        preview,
        explain,
        checkPath,
      }),
    ),
    ...when(paths.connections, (path) => [
      ...schoolConnectionRoutes({
        path,
        kit,
        clients,
        connections,
        clientRows,
        documents,
        recordLookedUp: sources.recordLookedUp,
        programs,
        schoolRoles,
        findApps,
        preview,
        approvable,
        limits: sources.limitChoices,
        requests,
        enabled,
        applicationsPath,
        findEvents,
        tools,
      }),
      activityRoute({ path, kit, clients, limits: sources.limitChoices, findEvents, tools }),
    ]),
    ...when(paths.connectedApps, (path) =>
      connectedAppsRoutes({
        path,
        kit,
        connections,
        limits: sources.limitChoices,
        demandedLimits: sources.demandedLimits,
        requests,
        requestsPath: mcp && requestsPath,
        connectPath: endpoints[0]?.path,
        open,
        findEvents,
        tools,
      }),
    ),
    ...when(mcp && requestsPath, (path) =>
      requestRoutes({ path, kit, catalogue, enabled, fields, requests, applications, clients, endpoints, checkPath }),
    ),
    ...when(mcp, (parts) => {
      const { connectedApps } = paths;
      const own: ToolPageSources = {
        kit,
        applications,
        requests,
        connections,
        findEvents,
        tools,
        programDecisions,
        openToPrograms,
        connectedApps,
        paths: { applicationsPath, requestsPath, checkPath },
      };
      return [...toolPages.flatMap(({ routes }) => routes?.(own) ?? []), ...toolRoutes(parts, own, toolPages)];
    }),
  ];
}

/** What stands beside *Requests* in the navigation: nothing is read where there is no such page. */
function requestCounter(
  applicationsPath: string | undefined,
  requests: Pick<PageSources['requests'], 'list'>,
): PageKit['countRequests'] {
  return async (site) =>
    applicationsPath !== undefined && site.connectionsEnabled
      ? (await requests.list(site, { status: 'open', size: 1 })).total
      : 0;
}

/** The routes of the tools, each with a page for a person who opens it in a browser. */
function toolRoutes(
  { routes, description }: PluginParts<McpDescription>,
  own: ToolPageSources,
  toolPages: readonly ToolPages[],
): readonly Route[] {
  const [atEndpoint] = toolPages.flatMap((each) => each.atEndpoint ?? []);
  if (!atEndpoint) return routes;
  return routes.map((route) => {
    const opened = description.endpoints.find(({ path }) => path === route.path);
    if (!opened) return route;
    const browserPage = async (call: RouteCall): Promise<void> =>
      own.kit.pages.send(call.ctx, call.site, await atEndpoint(own, call, opened, description));
    return { ...route, browserPage };
  });
}

/** The pages on which members ask for applications and check a program are below their connected apps. */
function setUpPaths(
  { pages: { applications: applicationsPath, connectedApps: path } }: Settings,
  toolPages: readonly ToolPages[],
): SetUpPaths {
  if (path === undefined) return { applicationsPath, requestsPath: undefined, checkPath: undefined };
  const [under] = toolPages.flatMap(({ checkUnder }) => checkUnder ?? []);
  return { applicationsPath, requestsPath: requestsUnder(path), checkPath: under && `${path}${under}` };
}

/** The routes of what is on. */
export function when<T>(option: T | false | undefined, routes: (option: T) => Route[]): Route[] {
  return option === undefined || option === false ? [] : routes(option);
}
