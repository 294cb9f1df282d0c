import type { Context } from 'koa';
import type { HourlyLimit, Limits } from '../contracts/limits.ts';
import type { PluginQuotas, RefusalCounter } from '../contracts/plugin.ts';
import type { Quota, Store } from '../contracts/store.ts';
import { digest } from '../runtime/crypto.ts';
import { OAuthError } from '../protocol/errors.ts';
import { WindowCounters } from '../runtime/window-counters.ts';
import type { Caller, CallerFinder } from './caller.ts';

const hour = 60 * 60;

type Quotas = Pick<Store, 'consumeQuota'>;

// A limiter counts requests or calls, or throws `slow_down`: status 429, with `Retry-After` in seconds.
export type Limiter = PluginQuotas['anonymous'];
/** `memberId` is that of the signed-in person. */
export type AuthorizationLimiter = (ctx: Context, siteId: string, memberId: string | undefined) => Promise<void>;
export type SignedInLimiter = (siteId: string, memberId: string) => Promise<void>;
export type TokenLimiter = PluginQuotas['token'];
export type MemberLimiter = PluginQuotas['member'];

export type AddressLimit = Exclude<keyof Limits, 'tokenCalls' | 'memberCalls' | 'refreshes'>;

/**
 * A limiter by address and by site. The store counts, so that all processes share the quotas. All quotas of a step are
 * consumed together: an address over its limit does not use up the site's quota, and once the site's quota is used up, no
 * counters are made for further addresses. What an address, or a network, may take of one site it may take of all sites together, in
 * each process.
 */
export function createLimiter(
  store: Quotas,
  what: AddressLimit,
  { limits, callerOf }: { readonly limits: Limits | false; readonly callerOf: CallerFinder },
): Limiter {
  if (limits === false) return async () => {};
  const limit = limits[what];
  const { most, share } = sharesOf(limit);
  const everywhere = new WindowCounters(hour);
  return async (ctx, siteId, calls) => {
    const caller = callerOf(ctx);
    const own = quotasOf(caller, limit.perAddress, most + share);
    const wait = everywhere.use(own, calls);
    if (wait !== undefined) throw slowDown(wait);
    try {
      await consumeOrRefuse(store, siteId, stepsOf(what, limit, caller), calls);
    } catch (error) {
      everywhere.giveBack(own, calls);
      throw error;
    }
  };
}

/** The quotas of an address and its network; none for a caller whose address is not known. */
function quotasOf({ address, network }: Caller, perAddress: number, perNetwork: number): readonly Quota[] {
  if (address === undefined) return [];
  return [
    { name: address, limit: perAddress },
    { name: `${network}*`, limit: perNetwork },
  ];
}

/** How often members ask their school for an application. */
export const requestLimit: HourlyLimit = { perAddress: 10, perSite: 200 };

/** A limiter of what signed-in members cause, whose quotas are out of the reach of all others. */
export function createSignedInLimiter(store: Quotas, what: string, limit: HourlyLimit | undefined): SignedInLimiter {
  if (!limit) return async () => {};
  return (siteId, memberId) => {
    const network = digest(memberId);
    const member = { address: `member:${network}`, network };
    return consumeOrRefuse(store, siteId, stepsOf(`${what}:members`, limit, member));
  };
}

/** How many messages may be refused for one that may be served. */
const refusalsPerCall = 10;

/** A process counts what it has read itself: the first request of most clients is one that is refused, and costs no round trip. */
export function createRefusalCounter(limits: Limits | false, callerOf: CallerFinder): RefusalCounter {
  if (limits === false) return { count: () => {}, isUsedUp: () => false };
  const limit = limits.anonymousCalls.perAddress * refusalsPerCall;
  const refusals = new WindowCounters(hour);
  const counted = (ctx: Context, siteId: string): readonly Quota[] => {
    const caller = callerOf(ctx);
    const own = quotasOf(caller, limit, limit * 4);
    return own.length > 0 ? own : [{ name: `${siteId} ${caller.network}`, limit: limit * 4 }];
  };
  return {
    count: (ctx, siteId, calls) => refusals.count(counted(ctx, siteId), calls),
    isUsedUp: (ctx, siteId) => refusals.wait(counted(ctx, siteId)) !== undefined,
  };
}

/** A limiter by member and client, or by service, for calls with a token. There are never more counters than connections. */
export function createTokenLimiter(store: Quotas, limits: Limits | false): TokenLimiter {
  if (limits === false) return async () => {};
  const { perMember } = limits.tokenCalls;
  return (siteId, { member, clientId }, calls) => {
    const name = `tokenCalls:${digest(JSON.stringify([member?.id, clientId]))}`;
    return consumeOrRefuse(store, siteId, [[{ name, limit: perMember }]], calls);
  };
}

/** A limiter by member, for calls with any token. The process counts: a verification stays one round trip. */
export function createMemberLimiter(limits: Limits | false): MemberLimiter {
  if (limits === false) return () => {};
  const { perMember: limit } = limits.memberCalls;
  const calls = new WindowCounters(hour);
  return (siteId, { member }) => {
    const wait = calls.use([{ name: `${siteId} ${member.id}`, limit }]);
    if (wait !== undefined) throw slowDown(wait);
  };
}

/** What one network, or one member, may take of a site's hour. */
interface Shares {
  /** How much of the hour is shared out. */
  readonly shared: number;
  /** Its part of the rest. */
  readonly most: number;
  /** Its part of what is shared out. */
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
function stepsOf(name: string, limit: HourlyLimit, { address, network }: Caller): readonly (readonly Quota[])[] {
  const { shared, most, share } = sharesOf(limit);
  const own = address === undefined ? [] : [{ name: `${name}:${address}`, limit: limit.perAddress }];
  return [
    [{ name: `${name}:site`, limit: limit.perSite - shared }, { name: `${name}:site:${network}`, limit: most }, ...own],
    [{ name: `${name}:shared`, limit: shared }, { name: `${name}:shared:${network}`, limit: share }, ...own],
  ];
}

/** Consumes the quotas of the first step that has some left. @throws OAuthError if none has */
async function consumeOrRefuse(
  store: Quotas,
  siteId: string,
  steps: readonly (readonly Quota[])[],
  uses?: number,
): Promise<void> {
  const waits: number[] = [];
  for (const quotas of steps) {
    const wait = await store.consumeQuota(siteId, quotas, hour, uses);
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
