import type { Middleware } from 'koa';
import type { Access } from './contracts/access.ts';
import { accessGuard, type AccessDemand } from './bearer/guard.ts';
import { userinfoRoute } from './bearer/userinfo.ts';
import { createVerify } from './bearer/verify.ts';
import type { Site } from './contracts/platform.ts';
import type { Store } from './contracts/store.ts';
import { discoveryRoutes } from './discovery/routes.ts';
import { createDocumentFetcher } from './documents/fetcher.ts';
import { type CampusEmitter, createEvents } from './events.ts';
import { guardConsent, guardPlatform, guardRegistration, guardStore, type OnFault } from './faults.ts';
import { promptPolicy } from './interaction/policy.ts';
import { interactionRoutes } from './interaction/routes.ts';
import { createLimiter, type Limiter, type Limits } from './limits.ts';
import { type CampusOptions, resolveOptions, type Settings } from './options.ts';
import { accessRule } from './provider/account.ts';
import { authorizeRoutes } from './provider/authorize-route.ts';
import { type Applications, createApplications } from './clients/applications.ts';
import { documentFinder } from './clients/documents.ts';
import { clientFinder, type ClientFinder } from './clients/finder.ts';
import { currentCall } from './provider/call.ts';
import { createEngine } from './provider/engine.ts';
import { createRegistry } from './provider/registry.ts';
import { renderError } from './provider/render-error.ts';
import { tokenRoutes } from './provider/token-routes.ts';
import { explainRegistration, type RegistrationExplanation } from './registration/explain.ts';
import { keepUsedClients } from './registration/keep-used.ts';
import { registrationRoute } from './registration/route.ts';
import { createRouter } from './router.ts';
import { createSiteFinder } from './site.ts';

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
  requireAccess(demand?: AccessDemand): Middleware;
  /**
   * Who an access token stands for at a site.
   *
   * @throws InvalidToken when it is of no use there, TemporarilyUnavailable when that cannot be told
   */
  verify(site: Site, token: string): Promise<Access>;
  /** An operator's OAuth applications at a site. */
  readonly clients: Applications;
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
  const onFault: OnFault = (message, cause) => void events.emit('fault', { message, cause });
  const platform = guardPlatform(settings.platform, onFault);
  const store = guardStore(settings.store, onFault);
  const consent = guardConsent(settings.consent, onFault);
  const access = accessRule(settings.operatorRoles);
  const policies = guardRegistration(settings.registration, onFault);
  const clients = clientFinder(settings.clients, store, documentClients(settings, store));
  const limiter = (what: keyof Limits): Limiter => createLimiter(store, what, settings.limits);
  const policy = promptPolicy(consent);
  const findSite = createSiteFinder(platform);
  const verify = createVerify({ store, platform, access });
  const engineOf = createRegistry(({ id, origin }) =>
    createEngine({ siteId: id, origin, keys, lifetimes, access, store, clients, policy, renderError }, onFault),
  );
  const routes = [
    ...discoveryRoutes({ keys, registers: policies.length > 0, documents: settings.metadataDocuments !== undefined }),
    ...authorizeRoutes(platform, engineOf),
    ...interactionRoutes({ platform, engineOf, consent, keys, keepUsed: keepUsedClients(store, lifetimes.grant) }),
    ...tokenRoutes({ platform, engineOf, store, refreshGrace: lifetimes.refreshGrace }),
    userinfoRoute(verify),
    ...(policies.length > 0 ? [registrationRoute({ policies, store, clients, limit: limiter('registrations') })] : []),
  ];
  return {
    middleware: () => createRouter(routes, { findSite, onFault }),
    requireAccess: (demand) => accessGuard({ findSite, verify }, demand),
    verify,
    clients: createApplications(store),
    explainRegistration: (site, body) => explainRegistration({ policies, clients }, site, body),
    health: () => healthOf(store),
    events,
    close: async () => void events.removeAllListeners(),
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
  { metadataDocuments: policy, testing, limits }: Settings,
  store: Store,
): ClientFinder | undefined {
  if (!policy) return undefined;
  const fetcher = createDocumentFetcher({ testing, ...(limits === false && { limits }) });
  const limit = createLimiter(store, 'documents', limits);
  return documentFinder({ policy, store, fetcher, limit: (siteId) => limit(currentCall().ctx, siteId) });
}
