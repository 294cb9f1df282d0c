import type { Middleware } from 'koa';
import type { Access } from './bearer/access.ts';
import { accessGuard, type AccessDemand } from './bearer/guard.ts';
import { userinfoRoute } from './bearer/userinfo.ts';
import { createVerify } from './bearer/verify.ts';
import type { Site } from './contracts/platform.ts';
import { discoveryRoutes } from './discovery/routes.ts';
import { type CampusEmitter, createEvents } from './events.ts';
import { guardConsent, guardPlatform, guardStore, type OnFault } from './faults.ts';
import { promptPolicy } from './interaction/policy.ts';
import { interactionRoutes } from './interaction/routes.ts';
import { type CampusOptions, resolveOptions } from './options.ts';
import { accessRule } from './provider/account.ts';
import { authorizeRoutes } from './provider/authorize-route.ts';
import { clientFinder } from './clients/finder.ts';
import { createEngine } from './provider/engine.ts';
import { createRegistry } from './provider/registry.ts';
import { renderError } from './provider/render-error.ts';
import { tokenRoutes } from './provider/token-routes.ts';
import { createRouter } from './router.ts';
import { createSiteFinder } from './site.ts';

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
  const clients = clientFinder(settings.clients, store, undefined);
  const policy = promptPolicy(consent);
  const findSite = createSiteFinder(platform);
  const verify = createVerify({ store, platform, access });
  const engineOf = createRegistry(({ id, origin }) =>
    createEngine({ siteId: id, origin, keys, lifetimes, access, store, clients, policy, renderError }, onFault),
  );
  const routes = [
    ...discoveryRoutes(keys),
    ...authorizeRoutes(platform, engineOf),
    ...interactionRoutes({ platform, engineOf, consent, keys }),
    ...tokenRoutes({ platform, engineOf, store, refreshGrace: lifetimes.refreshGrace }),
    userinfoRoute(verify),
  ];
  return {
    middleware: () => createRouter(routes, { findSite, onFault }),
    requireAccess: (demand) => accessGuard({ findSite, verify }, demand),
    verify,
    events,
    close: async () => void events.removeAllListeners(),
  };
}
