import type { Context } from 'koa';
import type { SiteFinder } from '../host/site-finder.ts';
import { boundedCache } from '../kernel/bounded-cache.ts';
import type { OnFault } from '../observe/events.ts';
import { hourlyFaults } from '../observe/hourly-faults.ts';
import { requestOrigin } from './origin.ts';

/** An origin at which a request for one of our paths found no school. */
export interface UnknownOrigin {
  readonly origin: string;
  /** The same with the other protocol, if that is the origin of a school: the proxy does not say which protocol the client used. */
  readonly schoolAt: string | undefined;
}

/** Requests for our paths at origins without a school. */
export interface UnknownOrigins {
  /** Looks at such a request. It changes only `protocolHeader`. */
  note(ctx: Context): Promise<void>;
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

  const reportProtocol = (ctx: Context, origin: string, site: { readonly id: string; readonly origin: string }): void =>
    report(
      { of: site.id, name: origin },
      `no school was found at ${origin}, because the school is at ${site.origin}`,
      () => {
        const sent = ctx.get('X-Forwarded-Proto');
        const header =
          sent === '' ? 'X-Forwarded-Proto is missing' : `X-Forwarded-Proto is ${JSON.stringify(sent.slice(0, 40))}`;
        return new Error(
          `the request for ${ctx.path} seems to be over ${ctx.protocol}: ${header}; let the proxy set it and redirect http: to https:, and trust the proxy`,
        );
      },
    );

  const reportUnknown = (ctx: Context, origin: string): void =>
    // One in all: any caller can ask for any origin, and `campus.diagnose()` lists them.
    report({ of: '', name: 'unknown' }, `no school was found at ${origin}`, () => {
      const advice = 'return the school of this origin from platform.findSite, and let the proxy pass on Host';
      return new Error(
        `a request for ${ctx.path} at ${origin} got 404; ${advice}; campus.diagnose() lists such origins`,
      );
    });

  return {
    async note(ctx) {
      const origin = requestOrigin(ctx);
      if (origin === undefined) return;
      // A look-up that fails has been reported.
      const site = await findSite(withOtherProtocol(origin)).catch(() => undefined);
      if (site) {
        seen.set(origin, { origin, schoolAt: site.origin });
        ctx.set(protocolHeader, ctx.protocol);
        reportProtocol(ctx, origin, site);
      } else if (oauthPath.test(ctx.path)) {
        // The host may be another authorization server there.
        ctx.res.once('finish', () => {
          if (ctx.res.statusCode !== 404) return;
          seen.set(origin, { origin, schoolAt: undefined });
          reportUnknown(ctx, origin);
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
