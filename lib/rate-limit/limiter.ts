import type { Context } from 'koa';
import type { Access } from '../contracts/client.ts';
import type { HourlyLimit, Limits } from '../contracts/limits.ts';
import type { RefusalCounter } from '../contracts/plugin.ts';
import type { Quota, Store } from '../contracts/store.ts';
import { digest } from '../runtime/crypto.ts';
import { OAuthError } from '../protocol/errors.ts';
import { networkOf } from './network.ts';
import { WindowCounters } from '../runtime/window-counters.ts';

const hour = 60 * 60;

type Quotas = Pick<Store, 'consumeQuota'>;

// A limiter consumes one request or call of its quotas, or throws `slow_down`: status 429, with `Retry-After` in seconds.
export type Limiter = (ctx: Context, siteId: string) => Promise<void>;
/** `memberId` is that of the signed-in person. */
export type AuthorizationLimiter = (ctx: Context, siteId: string, memberId: string | undefined) => Promise<void>;
export type TokenLimiter = (siteId: string, access: Access) => Promise<void>;

export type AddressLimit = Exclude<keyof Limits, 'tokenCalls' | 'refreshes'>;

/**
 * A limiter by address and by site. The store counts, so that all processes share the quotas. All quotas of a step are
 * consumed together: an address over its limit does not use up the site's quota, and once the site's quota is used up, no
 * counters are made for further addresses.
 */
export function createLimiter(store: Quotas, what: AddressLimit, limits: Limits | false): Limiter {
  if (limits === false) return async () => {};
  const limit = limits[what];
  return (ctx, siteId) => {
    const { address, network } = networkOf(ctx.ip);
    const own = { name: `${what}:${address}`, limit: limit.perAddress };
    return consumeOrRefuse(store, siteId, stepsOf(what, limit, network, own));
  };
}

/**
 * A limiter of authorization requests. Signed-in members have quotas of their own, out of the reach of all others. What an
 * address may take of one site it may take of all sites together, in each process.
 */
export function createAuthorizationLimiter(store: Quotas, limits: Limits | false): AuthorizationLimiter {
  if (limits === false) return async () => {};
  const what = 'authorizations';
  const limit = limits[what];
  const anonymous = createLimiter(store, what, limits);
  const everywhere = new WindowCounters(hour);
  const { most, share } = sharesOf(limit);
  return async (ctx, siteId, memberId) => {
    if (memberId !== undefined) {
      const member = digest(memberId);
      const own = { name: `${what}:member:${member}`, limit: limit.perAddress };
      return consumeOrRefuse(store, siteId, stepsOf(`${what}:members`, limit, member, own));
    }
    const { address, network } = networkOf(ctx.ip);
    const quotas = [
      { name: address, limit: limit.perAddress },
      { name: `${network}*`, limit: most + share },
    ];
    const wait = everywhere.use(quotas);
    if (wait !== undefined) throw slowDown(wait);
    try {
      await anonymous(ctx, siteId);
    } catch (error) {
      everywhere.giveBack(quotas);
      throw error;
    }
  };
}

/** How many messages may be refused for one that may be served. */
const refusalsPerCall = 10;

/** A process counts what it has read itself: the first request of most clients is one that is refused, and costs no round trip. */
export function createRefusalCounter(limits: Limits | false): RefusalCounter {
  if (limits === false) return { count: () => {}, isUsedUp: () => false };
  const limit = limits.anonymousCalls.perAddress * refusalsPerCall;
  const refusals = new WindowCounters(hour);
  const quotasOf = ({ ip }: Context): readonly Quota[] => {
    const { address, network } = networkOf(ip);
    return [
      { name: address, limit },
      { name: `${network}*`, limit: limit * 4 },
    ];
  };
  return {
    count: (ctx) => refusals.count(quotasOf(ctx)),
    isUsedUp: (ctx) => refusals.wait(quotasOf(ctx)) !== undefined,
  };
}

/** A limiter by member and client, for calls with a token. There are never more counters than connections. */
export function createTokenLimiter(store: Quotas, limits: Limits | false): TokenLimiter {
  if (limits === false) return async () => {};
  const { perMember } = limits.tokenCalls;
  return (siteId, { member, clientId }) => {
    const name = `tokenCalls:${digest(JSON.stringify([member.id, clientId]))}`;
    return consumeOrRefuse(store, siteId, [[{ name, limit: perMember }]]);
  };
}

/** What one network, or one member, may take of a site's hour. */
interface Shares {
  /** How much of the hour is shared out. */
  readonly shared: number;
  /** Of the rest. */
  readonly most: number;
  /** Of what is shared out. */
  readonly share: number;
}

function sharesOf({ perSite }: HourlyLimit): Shares {
  const shared = Math.floor(perSite / 2);
  return { shared, most: Math.max(1, Math.floor(perSite / 4)), share: Math.max(1, Math.floor(shared / 100)) };
}

/**
 * The first half of the site's quota is first come, first served, but no network gets more than a quarter of the hour. When it is
 * used up, or the network is over that, the other half is tried, of which each network gets a small share: a few addresses
 * cannot use up the hour of all others.
 */
function stepsOf(name: string, limit: HourlyLimit, group: string, own: Quota): readonly (readonly Quota[])[] {
  const { shared, most, share } = sharesOf(limit);
  return [
    [{ name: `${name}:site`, limit: limit.perSite - shared }, { name: `${name}:site:${group}`, limit: most }, own],
    [{ name: `${name}:shared`, limit: shared }, { name: `${name}:shared:${group}`, limit: share }, own],
  ];
}

/** Consumes the quotas of the first step that has some left. @throws OAuthError if none has */
async function consumeOrRefuse(store: Quotas, siteId: string, steps: readonly (readonly Quota[])[]): Promise<void> {
  const waits: number[] = [];
  for (const quotas of steps) {
    const wait = await store.consumeQuota(siteId, quotas, hour);
    if (typeof wait !== 'number') return;
    waits.push(wait);
  }
  throw slowDown(Math.min(...waits));
}

/** `slow_down`, status 429, with `Retry-After` in seconds. */
export function slowDown(seconds: number, what: string = 'too many requests'): OAuthError {
  const headers = { 'Retry-After': String(seconds) };
  return new OAuthError('slow_down', `${what}; try again in ${seconds} seconds`, { status: 429, headers });
}
