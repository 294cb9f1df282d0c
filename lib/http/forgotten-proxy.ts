import type { Context } from 'koa';
import type { SiteFinder } from '../host/site-finder.ts';
import type { OnFault } from '../runtime/events.ts';
import { forwardedOrigin, requestOrigin } from './origin.ts';

/** Looks at a request for one of our paths at an address where there is no school. */
export type ProxyCheck = (ctx: Context) => Promise<void>;

/**
 * Reports, once, that requests come through a proxy and `app.proxy` is not set: then no request finds its school, and all
 * that a person sees is the host's 404. Changes no response.
 */
export function createProxyCheck(findSite: SiteFinder, onFault: OnFault): ProxyCheck {
  let reported = false;
  return async (ctx) => {
    const forwarded = reported ? undefined : forwardedOrigin(ctx);
    if (forwarded === undefined) return;
    // A look-up that fails has been reported.
    const site = await findSite(forwarded).catch(() => undefined);
    if (site === undefined || reported) return;
    reported = true;
    const taken = requestOrigin(ctx) ?? 'an address that no school can have';
    onFault(
      `no school was found for a request for ${site.origin}, because app.proxy is not set`,
      new Error(
        `the request came through a proxy and was taken for one for ${taken}; if the proxy sets X-Forwarded-Proto and X-Forwarded-Host itself, set app.proxy = true, or new Koa({ proxy: true }), and app.maxIpsCount`,
      ),
    );
  };
}
