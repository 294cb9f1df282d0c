import type { CampusParts } from './campus-parts.ts';
import { extendUsedRegistrations } from './core/clients/registration-lifetime.ts';
import { features as allFeatures } from './features/features.ts';
import type { RouteParts } from './features/parts.ts';
import type { InteractionOptions } from './interaction/interaction-options.ts';
import { createLostSignInCheck } from './interaction/routes.ts';
import { eventsFinder } from './pages/activity/events.ts';
import { toolSentences } from './pages/activity/sentences.ts';
import { consentPreview } from './pages/consent-preview.ts';
import type { AlwaysOpen } from './pages/kit/always-sees.ts';
import { consoles, type PagePaths, requestsUnder } from './pages/kit/console.ts';
import type { CsrfTokens } from './pages/kit/csrf-tokens.ts';
import type { PageKit } from './pages/kit/page-access.ts';
import type { Pages } from './pages/kit/pages.ts';
import type { McpDescription } from './plugin-contract/plugin.ts';

/** What differs between the pages of a school and those of the gallery. */
export interface Shown {
  readonly csrfTokens: CsrfTokens;
  /** Sends the pages of administrators and members. */
  readonly pages: Pages;
  readonly open: AlwaysOpen;
  readonly mcp: McpDescription | undefined;
  readonly openToApps: boolean;
}

/** Makes what the routes of a campus share. */
export function createRouteParts(parts: CampusParts, shown: Shown): RouteParts {
  const { settings, policies, log, core, pages, signOuts, school, grants, bearer, features } = parts;
  const { catalogue, pages: pageSettings } = settings;
  const { open, mcp, openToApps } = shown;
  const paths = pagePaths(parts, mcp);
  const explain = features.find(({ feature }) => feature.explain)?.feature.explain;
  return {
    settings,
    policies,
    log,
    core,
    pages,
    signOuts,
    school,
    grants,
    bearer,
    interaction: interactionOptions(parts, paths, shown),
    kit: pageKit(parts, paths, shown),
    paths,
    mcp,
    tools: toolSentences(mcp?.tools ?? [], pageSettings.texts, catalogue),
    findEvents: eventsFinder(log.list),
    open,
    openToApps,
    fields: allFeatures.flatMap(({ fields = [] }) => fields),
    preview: consentPreview(settings, core, open, paths.yourApps),
    explain: explain && ((site, body) => explain(parts, site, body)),
  };
}

/** Where the pages are. Those on which members ask for applications and check an app are below their connected apps, if there are tools. */
function pagePaths({ settings, features }: CampusParts, mcp: McpDescription | undefined): PagePaths {
  const { apps, developers, yourApps } = settings.pages;
  const [under] = features.flatMap(({ feature }) => feature.toolPages?.checkUnder ?? []);
  return {
    apps,
    developers,
    yourApps,
    requests: mcp && requestsUnder(yourApps),
    check: mcp && yourApps && under && `${yourApps}${under}`,
  };
}

/** What all groups of pages for administrators and members share. */
function pageKit({ core, school }: CampusParts, paths: PagePaths, { csrfTokens, pages }: Shown): PageKit {
  const { host, access, limits } = core;
  const { requests } = school.applications;
  return {
    platform: host.platform,
    access: access.rights,
    csrfTokens,
    limitPages: limits.limitPages,
    pages,
    consoles: consoles(paths),
    // Nothing is read where there is no page for them.
    countRequests: async (site) =>
      paths.developers !== undefined && site.connectionsEnabled
        ? (await requests.list(site, { status: 'open', size: 1 })).total
        : 0,
    appsToReview: school.reviews.countWaiting.lastCount,
    newsOf: paths.yourApps === undefined ? async () => [] : school.connections.news.of,
  };
}

/** What the pages of an authorization request are made from. */
function interactionOptions(
  { settings, core, pages, school, grants, features, engineOf }: CampusParts,
  paths: PagePaths,
  { csrfTokens, open }: Shown,
): InteractionOptions {
  const { applications, reviews } = school;
  return {
    core,
    enabled: settings.enabled,
    proofs: features.flatMap(({ engine }) => engine.proof ?? []),
    consenting: grants.consenting,
    engineOf,
    reviews,
    csrfTokens,
    limitPages: core.limits.limitPages,
    pages,
    signInLost: createLostSignInCheck(core.audit.onFault),
    yourApps: paths.yourApps,
    connectionsPath: paths.apps,
    requestsPath: paths.requests,
    askToConnect:
      paths.developers === undefined
        ? undefined
        : (site, memberId, client) => applications.requests.askToConnect(site, memberId, client),
    open,
    extendRegistration: extendUsedRegistrations(core.records.store, core.limits),
  };
}
