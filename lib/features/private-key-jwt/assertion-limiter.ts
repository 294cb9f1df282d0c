import type { Context } from 'koa';
import type { LimitManager, Refused } from '../../core/limits/limit-manager.ts';
import type { Site } from '../../host/school-platform.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { Quota } from '../../records/store.ts';
import { digest } from '../../kernel/crypto.ts';
import { WindowCounters } from '../../kernel/window-counters.ts';
import type { AssertionLimit } from '../../core/limits/limits.ts';
import { hour, quotasOf, slowDown } from '../../core/limits/request-limiters.ts';

/** A client that has proved who it is, and its app, for the audit event of a refusal. */
export interface AssertingClient {
  readonly clientId: string;
  readonly app: string | undefined;
}

/** Limits the assertions with which clients prove who they are. RFC 7523 section 3. */
export interface AssertionLimiter {
  /** @throws OAuthError `slow_down` for a caller whose assertions have failed too often: they are not verified */
  readonly check: (ctx: Context, site: Site, clientId: string) => void;
  /** Counts one that does not prove who the client is. */
  readonly countFailure: (ctx: Context, site: Site, clientId: string) => void;
  /** Counts one that does, before it is stored that it was used. @throws OAuthError `slow_down` */
  readonly use: (site: Site, client: AssertingClient) => Promise<void>;
}

/** How many times as much as an address a network has, IPv4 /24 or IPv6 /48. */
const perNetwork = 4;

/**
 * The store counts what is used, because each use is stored. A process counts what fails, because what that costs is its time. Anybody can
 * send wrong assertions in the name of a client: when too many have failed, only addresses that have sent one of them are refused.
 */
export function assertionLimiter(store: RecordStore, { limits, callerOf, refuse }: LimitManager): AssertionLimiter {
  const failures = new WindowCounters(hour);

  function countersOf(
    ctx: Context,
    site: Site,
    clientId: string,
    { failedPerAddress, failedPerClient }: AssertionLimit,
  ) {
    const caller = callerOf(ctx);
    const own = quotasOf(caller, failedPerAddress, failedPerAddress * perNetwork);
    const client = `${site.id} ${digest(clientId)}`;
    return {
      ofCaller: own.length > 0 ? own : [{ name: `${site.id} ${caller.network}`, limit: failedPerAddress * perNetwork }],
      ofClient: [{ name: client, limit: failedPerClient }],
      ofBoth: [{ name: `${client} ${caller.address ?? caller.network}`, limit: 1 }],
    } satisfies Record<string, readonly Quota[]>;
  }

  return {
    check(ctx, site, clientId) {
      const all = limits(site);
      if (all === false) return;
      const { ofCaller, ofClient, ofBoth } = countersOf(ctx, site, clientId, all.assertions);
      const wait = failures.wait(ofCaller) ?? (failures.wait(ofBoth) && failures.wait(ofClient));
      // Nobody knows whose it is.
      if (wait !== undefined)
        refuse(slowDown(wait, 'too many assertions have failed'), 'assertions', { siteId: site.id });
    },
    countFailure(ctx, site, clientId) {
      const all = limits(site);
      if (all === false) return;
      const { ofCaller, ofClient, ofBoth } = countersOf(ctx, site, clientId, all.assertions);
      failures.count([...ofCaller, ...ofClient, ...ofBoth]);
    },
    async use(site, { clientId, app }) {
      const all = limits(site);
      if (all === false) return;
      const quotas = [{ name: `assertions:${digest(clientId)}`, limit: all.assertions.perClient }];
      const wait = await store.consumeQuota(site.id, quotas, hour);
      const who: Refused = { siteId: site.id, actor: { kind: 'client', id: clientId }, clientId, app };
      if (typeof wait === 'number') refuse(slowDown(wait, 'too many requests of this client'), 'assertions', who);
    },
  };
}
