import compose from 'koa-compose';
import { Provider } from 'oidc-provider';
import { ServerError } from '../protocol/errors.ts';
import type { OnAudit } from '../runtime/events.ts';
import { auditEngine } from './audit.ts';
import { type EngineRequest, withEngineRequest } from './engine-request.ts';
import { secretMatches } from '../clients/metadata.ts';
import { engineConfiguration, type EngineOptions } from './configuration.ts';
import { explain } from './engine-errors.ts';
import { limitIdTokens } from './id-token.ts';
import { requestView } from './request-view.ts';

/** A Koa context of the engine's own. */
export type EngineContext = ReturnType<Provider['createContext']>;

/** The engine of one site. */
export interface Engine {
  readonly provider: Provider;
  /** A context of the engine's own on the request of a call: its cookies, its keys, this site's address. */
  context(call: EngineRequest, url: string, form?: string): EngineContext;
  /** Runs the engine's routes on such a context. */
  handle(call: EngineRequest, ctx: EngineContext): Promise<void>;
}

/** Who is told what happens in the engine. */
export interface EngineListeners {
  /** Hears of everything that became `server_error`. */
  readonly onFault: (message: string, cause: unknown) => void;
  readonly onAudit: OnAudit;
}

/** Builds the engine of a site. */
export function createEngine(options: EngineOptions, { onFault, onAudit }: EngineListeners): Engine {
  const provider = new Provider(options.origin, engineConfiguration(options));
  pinAddress(provider, options.origin);
  limitIdTokens(provider, options.keys.signing.length > 0);
  provider.Client.prototype.compareClientSecret = function (this: { clientSecret?: string | undefined }, secret) {
    return secretMatches(this.clientSecret, secret);
  };
  auditEngine(provider, options.siteId, onAudit);
  provider.on('grant.error', explain);
  provider.on('revocation.error', explain);
  provider.on('introspection.error', explain);
  provider.on('server_error', (ctx, error) => {
    onFault('the engine failed', error);
    if (typeof ctx.body === 'object') ctx.body = new ServerError(error).toJSON();
  });
  const run = compose(provider.middleware);
  const { host } = new URL(options.origin);
  return {
    provider,
    context: (call, url, form) => provider.createContext(requestView(call.ctx.req, { url, host, form }), call.ctx.res),
    handle: (call, ctx) => withEngineRequest(call, () => run(ctx)),
  };
}

/** Every address that the engine writes is on the site's origin. */
function pinAddress(provider: Provider, origin: string): void {
  const { host, hostname, protocol } = new URL(origin);
  Object.defineProperties(provider.request, {
    origin: { value: origin },
    host: { value: host },
    hostname: { value: hostname },
    protocol: { value: protocol.slice(0, -1) },
    secure: { value: protocol === 'https:' },
    href: {
      get(this: { req: { url?: string } }) {
        return `${origin}${this.req.url ?? '/'}`;
      },
    },
  });
}
