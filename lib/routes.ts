import type { CampusParts } from './campus-parts.ts';
import { userinfoRoute } from './core/bearer/userinfo.ts';
import { siteResources } from './core/scopes/protected-resources.ts';
import { documentRoutes } from './describe/routes.ts';
import { describeService } from './describe/service-description.ts';
import { engineRoutes } from './engine/routes.ts';
import type { FeatureInUse } from './features/feature.ts';
import { letsProgramsIn } from './features/features.ts';
import type { Parts, RouteParts } from './features/parts.ts';
import { exampleCsrfTokens } from './gallery/example-campus.ts';
import { galleryRoutes } from './gallery/route.ts';
import type { Route, RouteCall } from './http/route.ts';
import { deniedPage } from './interaction/access-denied.ts';
import { interactionRoutes } from './interaction/routes.ts';
import { pathsOverlap } from './kernel/option-schemas.ts';
import { optionError } from './kernel/validate.ts';
import type { Settings } from './options/options.ts';
import { alwaysOpen } from './pages/kit/always-sees.ts';
import { copyScriptRoute } from './pages/kit/copy.ts';
import { createCsrfTokens } from './pages/kit/csrf-tokens.ts';
import type { McpDescription, Mount, PluginParts, ToolDescription } from './plugin-contract/plugin.ts';
import { createRouteParts } from './route-parts.ts';

interface CampusRoutes {
  readonly routes: readonly Route[];
  readonly tools: readonly ToolDescription[];
}

/** Every route of a campus. Specification: Endpoints. @throws TypeError if a page and an address of the tools overlap */
export function createRoutes(parts: CampusParts): CampusRoutes {
  const { core, school, grants, features } = parts;
  const { settings, host, limits, keys, pages } = core;
  const { catalogue, enabled } = settings;
  const { gallery } = settings.pages;
  const memberApi = mounted(settings.memberApi, parts);
  const mcp = mounted(settings.mcp, parts);
  checkPaths(settings, mcp?.resources ?? []);
  const resources = siteResources(
    catalogue,
    [mcp, memberApi].flatMap((plugin) => plugin?.resources ?? []),
  );
  const tools = mcp?.description.tools ?? [];
  const open = alwaysOpen(
    openToAll(memberApi?.description.open, tools),
    settings.claims !== undefined,
    settings.pages.texts,
  );
  const description = describeService(settings, {
    memberApi: memberApi?.description,
    mcp: mcp?.description,
    resources,
    enabled,
    features: features.flatMap(({ feature }) => feature.described ?? []),
  });
  const isOpen = letsProgramsIn(features);
  const shown = { csrfTokens: createCsrfTokens(keys), pages, open, mcp: mcp?.description, openToPrograms: isOpen };
  const routeParts = createRouteParts(parts, shown);
  const { interaction } = routeParts;
  const routes: readonly Route[] = [
    ...documentRoutes({ keys, limits, served: () => routes }, description, pages, school.programs.programDecisions),
    copyScriptRoute,
    ...engineRoutes({
      sources: interaction.sources,
      redeeming: grants.redeeming,
      beforeRedemption: features.flatMap(({ feature }) => feature.beforeRedemption ?? []),
      enabled,
      catalogue,
      engineOf: parts.engineOf,
      showDenied: deniedPage(pages, host.platform),
      features: features.map(({ engine }) => engine),
      boundaries: settings.boundaryTypes,
      resources,
    }),
    ...interactionRoutes(interaction),
    ...featureRoutes(features, routeParts),
    userinfoRoute({ verify: parts.bearer.verifyAny, quotas: limits.quotas, addedClaims: host.addedClaims }),
    ...(mcp ? toolRoutes(mcp, features, routeParts) : []),
    ...(memberApi?.routes ?? []),
    ...(process.env['NODE_ENV'] === 'production' || gallery === undefined
      ? []
      : galleryRoutes({
          path: gallery,
          parts,
          open,
          service: (site) => ({
            ...description,
            idTokenAlgorithms: ['ES256'],
            lifetimes: limits.lifetimes(site),
            limits: limits.limits(site),
          }),
          routesOf: (example, capturing) => {
            const ofExample = createRouteParts(example, {
              csrfTokens: exampleCsrfTokens,
              pages: capturing,
              open,
              mcp: mcp?.description,
              openToPrograms: isOpen,
            });
            return [
              ...featureRoutes(example.features, ofExample),
              ...(mcp ? toolRoutes(mcp, features, ofExample) : []),
            ];
          },
        })),
  ];
  return { routes, tools };
}

/** The pages and endpoints of features. */
function featureRoutes(features: readonly FeatureInUse[], parts: RouteParts): readonly Route[] {
  return features.flatMap(({ feature }) => feature.routes?.(parts) ?? []);
}

/** The routes of the tools, each with a page for a person who opens it in a browser. At most one feature has such a page. */
function toolRoutes(
  { routes, description }: PluginParts<McpDescription>,
  features: readonly FeatureInUse[],
  parts: RouteParts,
): readonly Route[] {
  const [atEndpoint] = features.flatMap(({ feature }) => feature.toolPages?.atEndpoint ?? []);
  if (!atEndpoint) return routes;
  return routes.map((route) => {
    const opened = description.endpoints.find(({ path }) => path === route.path);
    if (!opened) return route;
    const browserPage = async (call: RouteCall): Promise<void> =>
      parts.kit.pages.send(call.ctx, call.site, await atEndpoint(parts, call, opened, description));
    return { ...route, browserPage };
  });
}

/** What any token reaches, at least with one of its actions. */
function openToAll(fields: readonly string[] = [], tools: readonly ToolDescription[]): string[] {
  return [...fields, ...tools.filter(needsNoScope).map(({ name }) => `tool.${name}`)];
}

function needsNoScope({ access }: ToolDescription): boolean {
  if (access === 'public' || access.scopes.length > 0) return false;
  return !access.actions || Object.values(access.actions.scopes).some((scopes) => scopes.length === 0);
}

function checkPaths({ pages }: Settings, addresses: readonly { readonly path: string }[]): void {
  const { applications, connectedApps, connections, gallery } = pages;
  for (const { path } of addresses) {
    const page = [applications, connectedApps, connections, gallery].find(
      (taken) => taken && pathsOverlap(path, taken),
    );
    const demand = `not lie at or under ${page}, which is a page; see mcp.operatorPath, mcp.memberPath and pages`;
    if (page !== undefined) throw optionError(path, demand);
  }
}

function mounted<D>(
  plugin: { readonly mount: Mount<D> } | undefined,
  { core, bearer }: Parts,
): PluginParts<D> | undefined {
  const { settings, limits, audit } = core;
  const { onFault, onAudit } = audit;
  const { catalogue, boundaryTypes: boundaries } = settings;
  return plugin?.mount({ verify: bearer.verify, quotas: limits.quotas, onFault, onAudit, catalogue, boundaries });
}
