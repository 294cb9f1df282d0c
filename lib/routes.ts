import { approvableScopes } from './core/grants/approvable.ts';
import { userinfoRoute } from './core/bearer/userinfo.ts';
import { extendUsedRegistrations } from './core/clients/registration-lifetime.ts';
import { signedWith } from './core/keys/keys.ts';
import { siteResources } from './core/scopes/protected-resources.ts';
import { documentRoutes } from './describe/routes.ts';
import { describeService } from './describe/service-description.ts';
import { engineRoutes } from './engine/routes.ts';
import { featureExamples, features as allFeatures, letsProgramsIn } from './features/features.ts';
import { exampleCsrfTokens } from './gallery/example-campus.ts';
import { galleryRoutes } from './gallery/route.ts';
import type { Route } from './http/route.ts';
import { deniedPage } from './interaction/access-denied.ts';
import type { InteractionOptions } from './interaction/interaction-options.ts';
import { createLostSignInCheck, interactionRoutes } from './interaction/routes.ts';
import { pathsOverlap } from './kernel/option-schemas.ts';
import { optionError } from './kernel/validate.ts';
import type { Settings } from './options/options.ts';
import { pageRoutes, type PageSources, when } from './page-routes.ts';
import { consentPreview } from './pages/consent-preview.ts';
import { requestsUnder } from './pages/kit/console.ts';
import { type AlwaysOpen, alwaysOpen } from './pages/kit/always-sees.ts';
import { createCsrfTokens, type CsrfTokens } from './pages/kit/csrf-tokens.ts';
import { copyScriptRoute } from './pages/kit/copy.ts';
import type { Parts } from './parts-interface.ts';
import type { Mount, PluginParts, ToolDescription } from './plugin-contract/plugin.ts';

interface CampusRoutes {
  readonly routes: readonly Route[];
  readonly tools: readonly ToolDescription[];
}

/** Every route of a campus. Specification: Endpoints. @throws TypeError if a page and an address of the tools overlap */
export function createRoutes(parts: Parts): CampusRoutes {
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
  const shown = { csrfTokens: createCsrfTokens(keys), open };
  const interaction = interactionOptions(parts, shown);
  const mountedPages = {
    open,
    mcp,
    openToPrograms: letsProgramsIn(features),
    fields: allFeatures.flatMap(({ fields = [] }) => fields),
    toolPages: features.flatMap(({ feature }) => feature.toolPages ?? []),
  };
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
    ...features.flatMap(({ feature }) => feature.routes?.(interaction, core) ?? []),
    userinfoRoute({ verify: parts.bearer.verifyAny, quotas: limits.quotas, addedClaims: host.addedClaims }),
    ...pageRoutes(settings, pageSources(parts, shown), mountedPages),
    ...(memberApi?.routes ?? []),
    ...when(process.env['NODE_ENV'] !== 'production' && gallery, (path) =>
      galleryRoutes({
        path,
        pages,
        catalogue,
        enabled,
        open,
        ofFeatures: featureExamples(),
        service: (site) => ({
          ...description,
          idTokenAlgorithms: ['ES256'],
          lifetimes: limits.lifetimes(site),
          limits: limits.limits(site),
        }),
        settings,
        createParts: parts.createParts,
        routesOf: (example, capturing) =>
          pageRoutes(
            example.core.settings,
            { ...pageSources(example, { csrfTokens: exampleCsrfTokens, open }), pages: capturing },
            mountedPages,
          ),
      }),
    ),
  ];
  return { routes, tools };
}

/** What pages need beside the parts. */
interface Shown {
  readonly csrfTokens: CsrfTokens;
  readonly open: AlwaysOpen;
}

/** What the pages of an authorization request are made from. */
function interactionOptions(
  { core, school, grants, subjects, features, engineOf }: Parts,
  { csrfTokens, open }: Shown,
): InteractionOptions {
  const { settings, audit, host, clients, decisions, limits, pages, records } = core;
  const { applications, reviews } = school;
  return {
    sources: {
      enabled: settings.enabled,
      host,
      clients,
      decisions,
      limits,
      subjects,
      store: records.store,
      proofs: features.flatMap(({ engine }) => engine.proof ?? []),
      onAudit: audit.onAudit,
    },
    consenting: grants.consenting,
    engineOf,
    reviews,
    csrfTokens,
    pages,
    signInLost: createLostSignInCheck(audit.onFault),
    connectedApps: settings.pages.connectedApps,
    connectionsPath: settings.pages.connections,
    requestsPath: settings.mcp && requestsUnder(settings.pages.connectedApps),
    askToConnect:
      settings.pages.applications === undefined
        ? undefined
        : (site, memberId, client) => applications.requests.askToConnect(site, memberId, client),
    open,
    extendRegistration: extendUsedRegistrations({ store: records.store, lifetimes: limits.lifetimes }),
  };
}

/** What the pages of administrators and members read and write. */
function pageSources(parts: Parts, { csrfTokens, open }: Shown): PageSources {
  const { core, school, grants, features } = parts;
  const { settings, audit, host, clients, decisions, limits, keys, pages } = core;
  const { applications, issuer, secrets, requests } = school.applications;
  const { connections, demandedLimits, clientRows } = school.connections;
  const { programs, platformRule, programDecisions, schoolRoles, findApps } = school.programs;
  const { consenting } = grants;
  const explain = features.find(({ feature }) => feature.explain)?.feature.explain;
  return {
    pages,
    catalogue: settings.catalogue,
    enabled: settings.enabled,
    idTokenAlgorithms: (site) => signedWith(keys.of(site)),
    onFault: audit.onFault,
    platform: host.platform,
    access: decisions.access,
    csrfTokens,
    limitPages: limits.limitPages,
    clients: clients.find,
    applications,
    applicationIssuer: issuer,
    oneTimeSecrets: secrets,
    requests,
    connections,
    limitChoices: consenting.limits,
    demandedLimits,
    programs,
    platformRule,
    programDecisions,
    schoolRoles,
    findApps,
    clientRows,
    documents: school.reviews.documents,
    recordLookedUp: school.reviews.recordLookedUp,
    preview: consentPreview({
      enabled: settings.enabled,
      clients: clients.find,
      consenting,
      open,
      connectedApps: settings.pages.connectedApps,
    }),
    approvable: approvableScopes({ clients: clients.findStored, consenting }),
    explain: explain && ((site, body) => explain(core, site, body)),
  };
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
