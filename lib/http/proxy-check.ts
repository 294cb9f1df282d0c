import type { Site } from '../host/school-platform.ts';
import type { SiteFinder } from '../host/site-finder.ts';
import type { OnFault } from '../observe/events.ts';
import { hourlyFaults } from '../observe/hourly-faults.ts';
import type { ComingResponse } from './coming-response.ts';
import { forwardedOrigin, requestOrigin } from './origin.ts';
import type { ReceivedRequest } from './received-request.ts';
import { protocolHeader, type UnknownOrigins } from './unknown-origins.ts';

/** Looks at a request for one of our paths at an address where there is no school. */
export type ProxyCheck = (request: ReceivedRequest, response: ComingResponse) => Promise<void>;

/** How a host says that its proxy is to be trusted. */
export interface ProxySetting {
  readonly missing: string;
  readonly remedy: string;
}

/** In a Koa application. */
export const koaProxy: ProxySetting = {
  missing: 'app.proxy is not set',
  remedy: 'set app.proxy = true, or new Koa({ proxy: true }), and app.maxIpsCount',
};

/** With `campus.handler()`. */
export const handlerProxy: ProxySetting = {
  missing: 'the proxy is not trusted',
  remedy: "mount campus.handler({ proxy: true }), or in an Express application app.set('trust proxy', 1)",
};

/** With `campus.guard()` and `campus.siteOf()` outside of a Koa application. */
export const guardProxy: ProxySetting = {
  missing: 'the proxy is not trusted',
  remedy:
    "pass { proxy: true } to campus.guard and campus.siteOf, or in an Express application app.set('trust proxy', 1)",
};

interface ProxyChecking {
  readonly findSite: SiteFinder;
  readonly onFault: OnFault;
  readonly setting: ProxySetting;
  /** Gets the requests for which this proxy setting is not the reason. */
  readonly unknownOrigins: UnknownOrigins;
}

/**
 * Reports, once an hour for a school, that requests come through a proxy that the host has not said to trust: then no request finds its school, and
 * all that a person sees is the host's 404.
 */
export function createProxyCheck({ findSite, onFault, setting, unknownOrigins }: ProxyChecking): ProxyCheck {
  const report = hourlyFaults(onFault);
  return async (request, response) => {
    const forwarded = forwardedOrigin(request);
    if (forwarded === undefined) return unknownOrigins.note(request, response);
    let site: Site | undefined;
    try {
      site = await findSite(forwarded);
    } catch {
      // The look-up that failed has been reported.
      return;
    }
    if (site === undefined) return unknownOrigins.note(request, response);
    response.set(protocolHeader, request.protocol);
    const taken = requestOrigin(request) ?? 'an address that no school can have';
    report(
      { of: site.id, name: site.origin },
      `no school was found for a request for ${site.origin}, because ${setting.missing}`,
      () =>
        new Error(
          `the proxy at ${request.ip || 'an unknown address'} sent a request that was read as ${taken}; if it sets X-Forwarded-Proto and X-Forwarded-Host itself, ${setting.remedy}`,
        ),
    );
  };
}
