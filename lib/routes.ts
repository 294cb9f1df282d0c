import type { CampusParts } from './campus-parts.ts';
import { standardClaimsOf } from './host/standard-claims.ts';
import { userinfoRoute } from './core/bearer/userinfo.ts';
import { accountScopes } from './core/scopes/scopes.ts';
import { siteResources } from './core/scopes/protected-resources.ts';
import { documentRoutes } from './describe/routes.ts';
import type { CommonDescription } from './describe/service-description.ts';
import { requestNormalizer } from './engine/normalized-request.ts';
import { engineRoutes } from './engine/routes.ts';
import type { FeatureInUse } from './features/feature.ts';
import { letsAppsIn } from './features/features.ts';
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
import { createRouteParts, type Shown } from './route-parts.ts';
import { checkEach } from './kernel/check-each.ts';

interface CampusRoutes {
  readonly routes: readonly Route[];
  /** Scopes of a person's own account that neither the Member API, which serves a part of the data, nor a tool requires. */
  readonly unusedScopes: readonly string[];
  readonly tools: readonly ToolDescription[];
}

/** Every route of a campus. Specification: Endpoints. @throws TypeError if a page and an address of the tools overlap */
export function createRoutes(parts: CampusParts): CampusRoutes {
  const { settings, core, pages, school, grants, features } = parts;
  const { host, limits, keys } = core;
  const { catalogue, enabled } = settings;
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
  const description: CommonDescription = {
    policies: settings,
    scopes: catalogue.rows,
    acrValues: settings.platform.acrValues,
    addedClaims: settings.claims ? standardClaimsOf(catalogue.all) : [],
    memberApi: memberApi?.description,
    mcp: mcp?.description,
    resources,
    enabled,
    features: features.flatMap(({ feature }) => feature.described ?? []),
  };
  const shown: Shown = {
    csrfTokens: createCsrfTokens(keys),
    pages,
    open,
    mcp: mcp?.description,
    openToApps: letsAppsIn(features),
  };
  const routeParts = createRouteParts(parts, shown);
  const { interaction } = routeParts;
  const routes: readonly Route[] = [
    ...documentRoutes({ keys, limits, served: () => routes }, description, pages, school.apps.appPermissions),
    copyScriptRoute,
    ...engineRoutes({
      core,
      proofs: interaction.proofs,
      redeeming: grants.redeeming,
      beforeRedemption: features.flatMap(({ feature }) => feature.beforeRedemption ?? []),
      enabled,
      catalogue,
      engineOf: parts.engineOf,
      showDenied: deniedPage(pages, host.platform),
      features: features.map(({ engine }) => engine),
      boundaries: settings.boundaryTypes,
      normalize: requestNormalizer(resources, catalogue, enabled),
    }),
    ...interactionRoutes(interaction),
    ...featureRoutes(features, routeParts),
    userinfoRoute({ bearer: parts.bearer, quotas: limits.quotas, addedClaims: host.addedClaims }),
    ...(mcp ? toolRoutes(mcp, features, routeParts) : []),
    ...(memberApi?.routes ?? []),
    ...(process.env['NODE_ENV'] === 'production' ? [] : galleryOf(parts, shown, { description, mcp })),
  ];
  const isPart = (memberApi?.description.fields.length ?? 0) > 0;
  const unusedScopes = accountScopes.filter(
    (scope) => isPart && catalogue.has(scope) && !resources[0].scopes.includes(scope),
  );
  return { routes, tools, unusedScopes };
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

interface Documented {
  readonly description: CommonDescription;
  readonly mcp: PluginParts<McpDescription> | undefined;
}

/** The examples of all pages, if the host has set where they are. */
function galleryOf(parts: CampusParts, shown: Shown, { description, mcp }: Documented): readonly Route[] {
  const { settings, core } = parts;
  const { gallery: path } = settings.pages;
  if (path === undefined) return [];
  return galleryRoutes({
    path,
    parts,
    open: shown.open,
    service: (site) => ({
      ...description,
      idTokenAlgorithms: ['ES256'],
      lifetimes: core.limits.lifetimes(site),
      limits: core.limits.limits(site),
    }),
    routesOf: (example, pages) => {
      const ofExample = createRouteParts(example, { ...shown, csrfTokens: exampleCsrfTokens, pages });
      return [
        ...featureRoutes(example.features, ofExample),
        ...(mcp ? toolRoutes(mcp, example.features, ofExample) : []),
      ];
    },
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
  const { developers, yourApps, apps, gallery } = pages;
  checkEach(addresses, ({ path }) => {
    const page = [developers, yourApps, apps, gallery].find((taken) => taken && pathsOverlap(path, taken));
    const demand = `not be at or under ${page}, which is a page; change mcp.operatorPath, mcp.memberPath or pages`;
    if (page !== undefined) throw optionError(path, demand);
  });
}

function mounted<D>(
  plugin: { readonly mount: Mount<D> } | undefined,
  { settings, core, bearer }: Parts,
): PluginParts<D> | undefined {
  const { limits, audit, access } = core;
  const { onFault, onAudit } = audit;
  const { catalogue, boundaryTypes: boundaries } = settings;
  return plugin?.mount({
    bearer,
    seesEmail: access.emailAccess,
    quotas: limits.quotas,
    onFault,
    onAudit,
    catalogue,
    boundaries,
  });
}
