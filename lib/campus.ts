import type { Middleware } from 'koa';
import type { Access } from './contracts/access.ts';
import { requireBearerAuth, type AccessRequirement } from './bearer/guard.ts';
import { userinfoRoute } from './bearer/userinfo.ts';
import { createVerify } from './bearer/verify.ts';
import type { Site } from './contracts/platform.ts';
import type { Store } from './contracts/store.ts';
import { createConnections } from './connections/connections.ts';
import { applicationRoutes } from './pages/applications/routes.ts';
import { connectedAppsRoutes } from './pages/connected-apps/routes.ts';
import type { Connections } from './contracts/connection.ts';
import { discoveryRoutes } from './describe/discovery/routes.ts';
import { createDocumentFetcher } from './metadata-documents/fetcher.ts';
import { type CampusEmitter, createEvents, type OnAudit, emitAudit, emitFault } from './runtime/events.ts';
import {
  wrapConsentPolicies,
  wrapMemberData,
  wrapPlatform,
  wrapRegistrationPolicies,
  wrapStore,
  type OnFault,
} from './host/faults.ts';
import { promptPolicy } from './interaction/policy.ts';
import { interactionRoutes } from './interaction/routes.ts';
import { type AddressLimit, createLimiter, createTokenLimiter, type Limiter } from './rate-limit/limiter.ts';
import { guideRoute } from './describe/guide/guide.ts';
import { mcpRoute } from './mcp/serve/route.ts';
import { toolEndpoint } from './mcp/serve/tool-endpoint.ts';
import { memberRoutes } from './member/http/routes.ts';
import { openApiRoute } from './describe/openapi/document.ts';
import { type CampusOptions, resolveOptions, type Settings } from './options/options.ts';
import { formTokens } from './pages/kit/form-token.ts';
import { createPages } from './pages/kit/pages.ts';
import { accessRule } from './host/access-rule.ts';
import { authorizeRoutes } from './provider/authorize-route.ts';
import { type Applications, createApplications } from './clients/applications.ts';
import { cachedDocuments, documentClientFinder } from './metadata-documents/finder.ts';
import { clientFinder, permittedClients, type ClientFinder } from './clients/finder.ts';
import { currentEngineRequest } from './provider/engine-request.ts';
import { createEngine } from './provider/engine.ts';
import { createRegistry } from './provider/registry.ts';
import { errorRenderer } from './provider/render-error.ts';
import { tokenRoutes } from './provider/token-routes.ts';
import { describeService } from './describe/service-description.ts';
import { explainRegistration, type RegistrationExplanation } from './registration/explain.ts';
import { extendUsedRegistrations } from './registration/extend-used.ts';
import { registrationRoute } from './registration/route.ts';
import { createRouter } from './http/router.ts';
import { createSiteFinder } from './host/site-finder.ts';

/** How the store does. */
export interface Health {
  /** Whether it answered. */
  readonly ok: boolean;
  /** How long it took to answer, or to give up. */
  readonly milliseconds: number;
}

/** Every school of a platform as an OpenID provider. */
export interface Campus {
  /** The Koa middleware with every route; other paths and other hosts fall through. */
  middleware(): Middleware;
  /**
   * A Koa guard for the host's own API: the same token rules and answers as ours. Puts `ctx.state.access`; a request to
   * an origin that is no school gets 404.
   */
  requireAccess(demand?: AccessRequirement): Middleware;
  /**
   * Who an access token stands for at a site.
   *
   * @throws InvalidToken when it is of no use there, TemporarilyUnavailable when that cannot be told
   */
  verify(site: Site, token: string): Promise<Access>;
  /** An operator's OAuth applications at a site. */
  readonly applications: Applications;
  /** A member's connected apps. */
  readonly connections: Connections;
  /** What registration would answer, which policy said it, and why; changes nothing. */
  explainRegistration(site: Site, body: unknown): Promise<RegistrationExplanation>;
  /** Whether the store answers, and how fast. Never rejects. */
  health(): Promise<Health>;
  /** What happens inside, for logs and audits. */
  readonly events: CampusEmitter;
  /** Stops what the package itself started. The store and its connection are yours. */
  close(): Promise<void>;
}

/**
 * Makes a campus from what only the platform knows.
 *
 * @throws TypeError that names a wrong option by its path, for example `keys.signing[0].alg must be "ES256"`
 */
export function createCampus(options: CampusOptions): Campus {
  const settings = resolveOptions(options);
  const { keys, lifetimes } = settings;
  const events = createEvents();
  const onFault: OnFault = (message, cause) => emitFault(events, { message, cause });
  const onAudit: OnAudit = (event) => emitAudit(events, event);
  const platform = wrapPlatform(settings.platform, onFault);
  const { memberData } = settings.platform;
  const data = memberData && wrapMemberData(memberData, onFault);
  const store = wrapStore(settings.store, onFault);
  const consent = wrapConsentPolicies(settings.consent, onFault);
  const access = accessRule(settings.operatorRoles);
  const admits = permittedClients(settings.metadataDocuments);
  const pages = createPages(settings.pages);
  const renderError = errorRenderer(pages);
  const tokens = formTokens(keys);
  const gate = { platform, access, tokens, pages };
  const applications = createApplications(store);
  const connections = createConnections({
    store,
    clients: clientFinder(settings.clients, store, cachedDocuments(store)),
    lifetimes,
    onAudit,
  });
  const policies = wrapRegistrationPolicies(settings.registration, onFault);
  const clients = clientFinder(settings.clients, store, documentClients(settings, store));
  const limiter = (what: AddressLimit): Limiter => createLimiter(store, what, settings.limits);
  const policy = promptPolicy(consent);
  const findSite = createSiteFinder(platform);
  const verify = createVerify({ store, platform, access, gate: admits });
  const engineOf = createRegistry(({ id, origin }) =>
    createEngine(
      { siteId: id, origin, keys, lifetimes, access, gate: admits, store, clients, policy, renderError },
      { onFault, onAudit },
    ),
  );
  const tools = toolEndpoint(settings.tools, onFault);
  const facts = describeService(settings, tools.facts);
  const routes = [
    ...discoveryRoutes({ keys, registers: policies.length > 0, documents: settings.metadataDocuments !== undefined }),
    ...authorizeRoutes(platform, engineOf),
    ...interactionRoutes({
      platform,
      engineOf,
      consent,
      pages,
      tokens,
      connectedApps: settings.pages.connectedApps !== undefined,
      extendRegistration: extendUsedRegistrations(store, lifetimes.grant),
    }),
    ...tokenRoutes({ platform, engineOf, store, refreshGrace: lifetimes.refreshGrace, onAudit }),
    userinfoRoute(verify),
    ...(settings.pages.applications === undefined
      ? []
      : applicationRoutes({ ...gate, path: settings.pages.applications, applications, store })),
    ...(settings.pages.connectedApps === undefined
      ? []
      : connectedAppsRoutes({ ...gate, path: settings.pages.connectedApps, connections })),
    ...memberRoutes({ verify, data, api: settings.memberApi, onFault }),
    openApiRoute(facts),
    guideRoute(facts),
    mcpRoute({
      ...tools,
      verify,
      limits: { anonymous: limiter('anonymousCalls'), token: createTokenLimiter(store, settings.limits) },
      ...settings.mcp,
    }),
    ...(policies.length > 0
      ? [registrationRoute({ policies, store, clients, limit: limiter('registrations'), onAudit })]
      : []),
  ];
  return {
    middleware: () => createRouter(routes, { findSite, pages, onFault }),
    requireAccess: (demand) => requireBearerAuth({ findSite, verify }, demand),
    verify,
    applications,
    connections,
    explainRegistration: (site, body) => explainRegistration({ policies, clients }, site, body),
    health: () => healthOf(store),
    events,
    close: async () => undefined,
  };
}

async function healthOf(store: Pick<Store, 'ping'>): Promise<Health> {
  const start = performance.now();
  const ok = await store.ping().then(
    () => true,
    () => false,
  );
  return { ok, milliseconds: performance.now() - start };
}

/** The finder of clients that are metadata documents, where a policy lets some in. */
function documentClients(
  { metadataDocuments: policy, testing, limits, lifetimes }: Settings,
  store: Store,
): ClientFinder | undefined {
  if (!policy) return undefined;
  const fetcher = createDocumentFetcher({ testing, ...(limits === false && { limits }) });
  const limit = createLimiter(store, 'documents', limits);
  const memory = lifetimes.grant;
  return documentClientFinder({
    policy,
    store,
    fetcher,
    limit: (siteId) => limit(currentEngineRequest().ctx, siteId),
    memory,
  });
}
