import type { SiteFinder } from '../host/site-finder.ts';
import { boundedCache } from '../kernel/bounded-cache.ts';
import type { OnFault } from '../observe/events.ts';
import { hourlyFaults } from '../observe/hourly-faults.ts';
import type { ComingResponse } from './coming-response.ts';
import { requestOrigin } from './origin.ts';
import { pathOf, type ReceivedRequest } from './received-request.ts';

/** An origin at which a request for one of our paths found no school. */
export interface UnknownOrigin {
  readonly origin: string;
  /** The same with the other protocol, if that is the origin of a school: the proxy does not say which protocol the client used. */
  readonly schoolAt: string | undefined;
}

/** Requests for our paths at origins without a school. */
export interface UnknownOrigins {
  /** Looks at such a request. It changes only `protocolHeader`. */
  note(request: ReceivedRequest, response: ComingResponse): Promise<void>;
  /** The last origins. */
  list(): readonly UnknownOrigin[];
}

/** For `campus.diagnose()`. */
const maxOrigins = 20;

/** Paths that only a client of a school asks for. Others, such as `/openapi.json`, may be the host's own elsewhere. */
const oauthPath = /^\/(?:(?:api\/)?oauth\/|\.well-known\/(?:openid-configuration|oauth-))/;

/** Any caller may ask for any origin, so each of these is a fault once an hour. */
export function createUnknownOrigins(findSite: SiteFinder, onFault: OnFault): UnknownOrigins {
  const seen = boundedCache<UnknownOrigin>(maxOrigins);
  const report = hourlyFaults(onFault);

  const reportProtocol = (
    request: ReceivedRequest,
    origin: string,
    site: { readonly id: string; readonly origin: string },
  ): void =>
    report(
      { of: site.id, name: origin },
      `no school was found at ${origin}, because the school is at ${site.origin}`,
      () => {
        const sent = request.get('X-Forwarded-Proto');
        const header =
          sent === '' ? 'X-Forwarded-Proto is missing' : `X-Forwarded-Proto is ${JSON.stringify(sent.slice(0, 40))}`;
        return new Error(
          `the request for ${pathOf(request)} seems to be over ${request.protocol}: ${header}; let the proxy set it and redirect http: to https:, and trust the proxy`,
        );
      },
    );

  const reportUnknown = (request: ReceivedRequest, origin: string): void =>
    // One in all: any caller can ask for any origin, and `campus.diagnose()` lists them.
    report({ of: '', name: 'unknown' }, `no school was found at ${origin}`, () => {
      const advice = 'return the school of this origin from platform.findSite, and let the proxy pass on Host';
      return new Error(
        `a request for ${pathOf(request)} at ${origin} got 404; ${advice}; campus.diagnose() lists such origins`,
      );
    });

  return {
    async note(request, response) {
      const origin = requestOrigin(request);
      if (origin === undefined) return;
      // A look-up that fails has been reported.
      const site = await findSite(withOtherProtocol(origin)).catch(() => undefined);
      if (site) {
        seen.set(origin, { origin, schoolAt: site.origin });
        response.set(protocolHeader, request.protocol);
        reportProtocol(request, origin, site);
      } else if (oauthPath.test(pathOf(request))) {
        // The host may be another authorization server there.
        response.whenSent((status) => {
          if (status !== 404) return;
          seen.set(origin, { origin, schoolAt: undefined });
          reportUnknown(request, origin);
        });
      }
    },
    list: () => [...seen.values()],
  };
}

/** Says to `campus-oidc doctor` over which protocol a request seems to have come, where that is why it found no school. */
export const protocolHeader = 'Campus-Protocol';

function withOtherProtocol(origin: string): string {
  const address = origin.startsWith('https:') ? origin.replace('https:', 'http:') : origin.replace('http:', 'https:');
  return new URL(address).origin;
}
