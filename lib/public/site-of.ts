import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { siteOfRequest } from '../core/bearer/api-access.ts';
import type { Site } from '../host/school-platform.ts';
import type { SiteFinder } from '../host/site-finder.ts';
import { type ComingResponse, koaResponse } from '../http/coming-response.ts';
import { isNodeRequest, nodeRequest } from '../http/node-request.ts';
import type { ProxyCheck } from '../http/proxy-check.ts';
import { type ProxyOptions, proxyFields } from '../http/proxy-options.ts';
import { koaRequest } from '../http/received-request.ts';
import { isWebRequest, webRequest } from '../http/web-request.ts';
import { group } from '../kernel/option-schemas.ts';
import { readOptions } from '../kernel/validate.ts';

const optionsSchema = group(proxyFields);

interface SiteOfParts {
  readonly findSite: SiteFinder;
  readonly koaProxyCheck: ProxyCheck;
  readonly guardProxyCheck: ProxyCheck;
}

/** Finds the school of a request of the host's own routes, in whichever framework. @throws TypeError for wrong options */
export function createSiteOf({ findSite, koaProxyCheck, guardProxyCheck }: SiteOfParts) {
  return (request: Context | IncomingMessage | Request, options: ProxyOptions = {}): Promise<Site | undefined> => {
    if (!isWebRequest(request) && !isNodeRequest(request))
      return siteOfRequest({ findSite, proxyCheck: koaProxyCheck }, koaRequest(request), koaResponse(request));
    const trust = readOptions(optionsSchema, options, 'siteOf');
    const received = isWebRequest(request) ? webRequest(request, trust) : nodeRequest(request, trust);
    return siteOfRequest({ findSite, proxyCheck: guardProxyCheck }, received, unknownResponse);
  };
}

/** The host did not say which response belongs to the request. */
const unknownResponse: ComingResponse = { set: () => {}, whenSent: () => {} };
