import type { DeclaredBoundary } from '../boundaries/boundary.ts';
import type { ClientAudience, TokenOf } from '../clients/client.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import type { Site } from '../../host/school-platform.ts';
import type { SiteFinder } from '../../host/site-finder.ts';
import type { ComingResponse } from '../../http/coming-response.ts';
import { apiCorsHeaders, apiPreflightHeaders, exposingNonce } from '../../http/cors.ts';
import { requestOrigin } from '../../http/origin.ts';
import type { ProxyCheck } from '../../http/proxy-check.ts';
import type { ReceivedRequest } from '../../http/received-request.ts';
import { oauthError } from '../../http/router.ts';
import type { PlainResponse, ResponseHeaders } from '../../http/plain-response.ts';
import { errorResponse } from '../../http/send.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import type { RequestTime } from '../../kernel/request-time.ts';
import type { OnFault } from '../../observe/events.ts';
import { RequestTrace } from '../../observe/request-trace.ts';
import type { AccessRequirement } from './access-requirement.ts';
import type { BearerAuth } from './bearer-auth.ts';
import { bearerErrorResponse, type VerifiedRequest, verifyBearerToken } from './guard.ts';

interface SiteOptions {
  readonly findSite: SiteFinder;
  readonly proxyCheck: ProxyCheck;
}

/** What the guards of a campus are made from. */
export interface GuardParts extends SiteOptions {
  readonly storeTime: RequestTime;
  readonly catalogue: ScopeCatalogue;
  readonly boundaries: readonly DeclaredBoundary[];
  readonly onFault: OnFault;
  readonly bearer: BearerAuth;
}

/** The school of a request for the host's own routes. @internal */
export async function siteOfRequest(
  { findSite, proxyCheck }: SiteOptions,
  request: ReceivedRequest,
  response: ComingResponse,
): Promise<Site | undefined> {
  const origin = requestOrigin(request);
  const site = origin === undefined ? undefined : await findSite(origin);
  if (!site) await proxyCheck(request, response);
  return site;
}

/** The token of a request that may pass, with headers for the response to it, or the response to one that may not. */
export type AccessDecision<T> =
  { readonly token: T; readonly headers: ResponseHeaders } | { readonly response: PlainResponse };

/** Decides on a request for a route of the host. With `ownCors`, the host has its own rules for scripts. It does not throw. */
export type DecideAccess<T> = (request: ReceivedRequest, ownCors: boolean) => Promise<AccessDecision<T>>;

/** Scripts of any origin may read the response, since the token decides and no cookie is read. */
export function accessDecision<A extends ClientAudience>(
  parts: GuardParts,
  requirement: AccessRequirement<A>,
): DecideAccess<TokenOf<A> | undefined> {
  const { bearer, storeTime, onFault } = parts;
  const { scopes, bound } = requirement;
  return async (request, ownCors) => {
    const readable = ownCors ? {} : apiCorsHeaders(request);
    const withCors = (headers: ResponseHeaders): ResponseHeaders =>
      ownCors ? headers : { ...readable, ...exposingNonce(headers) };
    const noted: Record<string, string> = {};
    let site: Site | undefined;
    try {
      site = await siteOfRequest(parts, request, {
        set: (header, value) => void (noted[header] = value),
        whenSent: (listener) => listener(noSchool.status),
      });
      if (!site) throw new InvalidRequest('there is no school at this address', noSchool);
      const preflight = apiPreflightHeaders(request);
      if (preflight) return { response: { status: 204, headers: { ...readable, ...preflight } } };
      const known = site;
      const verified = (): Promise<VerifiedRequest<TokenOf<A>>> =>
        verifyBearerToken(bearer, request, known, requirement);
      const { token, headers } = await storeTime.run(verified, new RequestTrace(request));
      return { token, headers: withCors(headers) };
    } catch (thrown) {
      const error = oauthError(thrown, onFault);
      const response = site
        ? bearerErrorResponse(bearer, request, site, error, { scopes, bound })
        : errorResponse(error);
      return { response: { ...response, headers: withCors({ ...noted, ...response.headers }) } };
    }
  };
}

const noSchool = { status: 404 } as const;
