import compose from 'koa-compose';
import { LRUCache } from 'lru-cache';
import { Provider } from 'oidc-provider';
import type { OnFault } from '../runtime/events.ts';
import type { EngineCache } from '../contracts/limits.ts';
import type { Site } from '../contracts/platform.ts';
import { ServerError } from '../protocol/errors.ts';
import type { OnAudit } from '../runtime/audit-event.ts';
import { auditEngine } from './audit-engine.ts';
import { engineConfiguration, type EngineOptions } from './configuration.ts';
import { clarifyErrorBody } from './engine-errors.ts';
import { patchEngine } from './engine-patches.ts';
import { type EngineRequest, withEngineRequest } from './engine-request.ts';
import { RequestView } from './request-view.ts';
import { sharedConfiguration } from './shared-configuration.ts';

/** The engine's own Koa context, on the host's response. */
export type EngineContext = ReturnType<Provider['createContext']>;

export interface Engine {
  readonly provider: Provider;
  context(request: EngineRequest, url: string, form?: string): EngineContext;
  handle(request: EngineRequest, ctx: EngineContext): Promise<void>;
}

type EngineReports = { readonly onFault: OnFault; readonly onAudit: OnAudit };

/** Makes the engines of sites. */
export function engineMaker(options: EngineOptions, reports: EngineReports): EngineFinder {
  const shared = sharedConfiguration(options);
  return (site) => {
    const provider = new Provider(site.origin, engineConfiguration(options, shared, site));
    // The request view names the protocol in `X-Forwarded-Proto`, as a proxy does.
    provider.proxy = true;
    patchEngine(provider, site.id, options);
    reportEvents(provider, site.id, reports);
    const run = compose(provider.middleware);
    const origin = new URL(site.origin);
    return {
      provider,
      context: ({ ctx }, url, form) => provider.createContext(new RequestView(ctx.req, { url, origin, form }), ctx.res),
      handle: (request, ctx) => withEngineRequest(request, () => run(ctx)),
    };
  };
}

function reportEvents(provider: Provider, siteId: string, { onFault, onAudit }: EngineReports): void {
  auditEngine(provider, siteId, onAudit);
  provider.on('grant.error', clarifyErrorBody);
  provider.on('revocation.error', clarifyErrorBody);
  provider.on('introspection.error', clarifyErrorBody);
  provider.on('server_error', (ctx, error) => {
    onFault('the engine failed', error);
    if (typeof ctx.body === 'object') ctx.body = new ServerError(error).toJSON();
  });
}

type SiteKey = Pick<Site, 'id' | 'origin'>;

export type EngineFinder = (site: SiteKey) => Engine;

/** Makes the engine of a site on first use and keeps those last used; a site whose origin changed gets a new one. */
export function createRegistry<E extends object>(
  make: (site: SiteKey) => E,
  { max }: EngineCache,
): (site: SiteKey) => E {
  const engines = new LRUCache<string, E>({ max });
  return ({ id, origin }) => {
    const key = `${id} ${origin}`;
    let engine = engines.get(key);
    if (!engine) {
      engine = make({ id, origin });
      engines.set(key, engine);
    }
    return engine;
  };
}
