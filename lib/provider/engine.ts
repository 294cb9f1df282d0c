import type { Context } from 'koa';
import compose from 'koa-compose';
import { Provider } from 'oidc-provider';
import { ServerError } from '../protocol/errors.ts';
import type { OnAudit } from '../runtime/events.ts';
import { auditEngine } from './audit.ts';
import { type EngineRequest, withEngineRequest } from './engine-request.ts';
import { engineConfiguration, type EngineOptions } from './configuration.ts';
import { clarifyErrorBody } from './engine-errors.ts';
import { patchEngine } from './engine-patches.ts';
import { RequestView } from './request-view.ts';

/** A Koa context of the engine's own, on the host's response. */
export type EngineContext = ReturnType<Provider['createContext']>;

/** The engine of one site. */
export interface Engine {
  readonly provider: Provider;
  /** Makes a context whose request is a view of the live one: this URL, this form, the site's address. */
  context(request: EngineRequest, url: string, form?: string): EngineContext;
  /** Runs the engine's routes. */
  handle(request: EngineRequest, ctx: EngineContext): Promise<void>;
}

interface EngineListeners {
  /** Receives everything that the engine responds to with `server_error`. */
  readonly onFault: (message: string, cause: unknown) => void;
  readonly onAudit: OnAudit;
}

export function createEngine(options: EngineOptions, { onFault, onAudit }: EngineListeners): Engine {
  const provider = new Provider(options.origin, engineConfiguration(options));
  // The request view names the protocol in `X-Forwarded-Proto`, as a proxy does.
  provider.proxy = true;
  patchEngine(provider, options.keys.signing.length > 0);
  auditEngine(provider, options.siteId, onAudit);
  provider.on('grant.error', clarifyErrorBody);
  provider.on('revocation.error', clarifyErrorBody);
  provider.on('introspection.error', clarifyErrorBody);
  provider.on('server_error', (ctx, error) => {
    onFault('the engine failed', error);
    if (typeof ctx.body === 'object') ctx.body = new ServerError(error).toJSON();
  });
  const run = compose(provider.middleware);
  const origin = new URL(options.origin);
  return {
    provider,
    context: ({ ctx }, url, form) => provider.createContext(new RequestView(ctx.req, { url, origin, form }), ctx.res),
    handle: (request, ctx) => withEngineRequest(request, () => run(ctx)),
  };
}

/** Sends the engine's response through the host's context. Both write to one response, so its headers are set already. */
export function sendEngineResponse({ status, body }: EngineContext, ctx: Context): void {
  ctx.body = body;
  ctx.status = status;
  if (status === 503) ctx.set('Retry-After', '1');
}
