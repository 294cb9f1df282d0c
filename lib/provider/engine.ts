import compose from 'koa-compose';
import { LRUCache } from 'lru-cache';
import { type errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { isFirstParty } from '../clients/metadata.ts';
import type { OnFault } from '../runtime/events.ts';
import type { EngineCache } from '../contracts/limits.ts';
import { ServerError } from '../protocol/errors.ts';
import type { CheckedKeys, KeyRing, KeySite } from '../protocol/keys.ts';
import type { AuditEvent, OnAudit } from '../runtime/events.ts';
import { engineConfiguration, type EngineOptions } from './configuration.ts';
import { clarifyErrorBody, isReuse } from './engine-errors.ts';
import { patchEngine } from './engine-patches.ts';
import { currentEngineRequest, type EngineRequest, withEngineRequest } from './engine-request.ts';
import { RequestView } from './request-view.ts';
import type { SiteProtocol } from './engine-settings.ts';

/** The engine's own Koa context, on the host's response. */
export type EngineContext = ReturnType<Provider['createContext']>;

export interface Engine {
  readonly provider: Provider;
  context(request: EngineRequest, url: string, form?: string): EngineContext;
  handle(request: EngineRequest, ctx: EngineContext): Promise<void>;
}

interface StartedProvider {
  readonly provider: Provider;
  readonly run: ReturnType<typeof compose<EngineContext>>;
}

type ProvidersByProtocol = Readonly<Record<SiteProtocol, WeakMap<CheckedKeys, StartedProvider>>>;

type EngineReports = { readonly onFault: OnFault; readonly onAudit: OnAudit };

/**
 * Makes the engines of sites: those that are reached by the same protocol and have the same keys share one `oidc-provider`.
 * One whose keys were replaced goes when the last request that began with it has ended.
 */
export function engineMaker(
  options: EngineOptions,
  reports: EngineReports,
): (site: KeySite, keys: CheckedKeys) => Engine {
  const start = (protocol: SiteProtocol, keys: CheckedKeys): StartedProvider => {
    const provider = new Provider(`${protocol}//no-site.invalid`, engineConfiguration(options, keys, protocol));
    // The request view names the protocol in `X-Forwarded-Proto`, as a proxy does.
    provider.proxy = true;
    patchEngine(provider, { ...options, keys });
    reportEvents(provider, reports);
    return { provider, run: compose(provider.middleware) };
  };
  const started: ProvidersByProtocol = { 'http:': new WeakMap(), 'https:': new WeakMap() };
  return ({ origin: text }, keys) => {
    const origin = new URL(text);
    const protocol = origin.protocol === 'https:' ? 'https:' : 'http:';
    const { provider, run } = started[protocol].get(keys) ?? start(protocol, keys);
    started[protocol].set(keys, { provider, run });
    return {
      provider,
      context: ({ ctx }, url, form) => provider.createContext(new RequestView(ctx.req, { url, origin, form }), ctx.res),
      handle: (request, ctx) => withEngineRequest(request, () => run(ctx)),
    };
  };
}

function reportEvents(provider: Provider, { onFault, onAudit }: EngineReports): void {
  auditEngine(provider, onAudit);
  provider.on('grant.error', clarifyErrorBody);
  provider.on('revocation.error', clarifyErrorBody);
  provider.on('introspection.error', clarifyErrorBody);
  provider.on('server_error', (ctx, error) => {
    onFault('the engine failed', error);
    if (typeof ctx.body === 'object') ctx.body = new ServerError(error).toJSON();
  });
}

export type EngineFinder = (site: KeySite) => Engine;

/** Makes the engine of a site on first use and keeps those last used; a site whose origin or keys changed gets a new one. */
export function createRegistry<E extends object>(
  make: (site: KeySite, keys: CheckedKeys) => E,
  { max }: EngineCache,
  ring: Pick<KeyRing, 'of'>,
): (site: KeySite) => E {
  const engines = new LRUCache<string, { readonly engine: E; readonly keys: CheckedKeys }>({ max });
  return ({ id, origin }) => {
    const key = `${id} ${origin}`;
    const keys = ring.of({ id, origin });
    const made = engines.get(key);
    if (made?.keys === keys) return made.engine;
    const engine = make({ id, origin }, keys);
    engines.set(key, { engine, keys });
    return engine;
  };
}

/** Reports what the engine allows and refuses. `redemption.ts` reports issued tokens. */
function auditEngine(provider: Provider, onAudit: OnAudit): void {
  const refused = (endpoint: AuditEvent['what']) => (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    const isRefresh = endpoint === 'token' && ctx.oidc.params?.['grant_type'] === 'refresh_token';
    const reason = isReuse(error) ? 'reused' : error.error;
    onAudit({ what: isRefresh ? 'refresh' : endpoint, decision: 'refused', reason, ...partiesOf(ctx) });
  };
  provider.on('authorization.success', (ctx) => {
    const reason = ctx.oidc.client && isFirstParty(ctx.oidc.client) && !ctx.oidc.result?.consent && 'first_party';
    onAudit({ what: 'authorization', decision: 'allowed', ...(reason && { reason }), ...partiesOf(ctx) });
  });
  provider.on('authorization.error', refused('authorization'));
  provider.on('grant.error', refused('token'));
  provider.on('revocation.error', refused('revocation'));
  provider.on('grant.revoked', (ctx) => onAudit({ what: 'revocation', decision: 'allowed', ...partiesOf(ctx) }));
}

function partiesOf({ oidc }: KoaContextWithOIDC): Pick<AuditEvent, 'siteId' | 'clientId' | 'memberId'> {
  const { AccessToken, Account, AuthorizationCode, Client, RefreshToken } = oidc.entities;
  const token = AccessToken ?? RefreshToken ?? AuthorizationCode;
  const { site } = currentEngineRequest();
  return { siteId: site.id, clientId: Client?.clientId, memberId: Account?.accountId ?? token?.accountId };
}
