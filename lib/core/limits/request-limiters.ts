import type { Context } from 'koa';
import type { Limits } from './limits.ts';
import type { HourlyLimit } from '../../kernel/hourly-limit.ts';
import type { Site } from '../../host/school-platform.ts';
import type { RefusalCounter, CountedAccess } from './call-quotas.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { Quota } from '../../records/store.ts';
import type { AtSite } from '../../host/per-site.ts';
import { digest } from '../../kernel/crypto.ts';
import { OAuthError } from '../../kernel/errors.ts';
import { WindowCounters } from '../../kernel/window-counters.ts';
import type { Caller, CallerFinder } from './caller-address.ts';

export const hour = 60 * 60;

type SiteLimits = AtSite<Limits | false>;

// A limiter counts requests or calls, or throws `slow_down`: status 429, with `Retry-After` in seconds.
export type Limiter = (ctx: Context, site: Site, calls?: number) => Promise<void>;
/** `memberId`: the person who is signed in, if anyone is. */
export type AuthorizationLimiter = (ctx: Context, site: Site, memberId: string | undefined) => Promise<void>;
export type SignedInLimiter = (site: Site, memberId: string) => Promise<void>;

/** Counts one use, or several, in this process. */
export type MemberLimiter = (site: Site, memberId: string, uses?: number) => void;

/** The limits that count by address. */
export type AddressLimit = { [L in keyof Limits]: Limits[L] extends HourlyLimit ? L : never }[keyof Limits];

/**
 * A limiter by address and by school. The store counts, so that all processes share the quotas. All quotas of a step are
 * consumed together: an address over its limit does not use up the school's quota, and once the school's quota is used up, no
 * counters are made for further addresses. What an address, or a network, may take of one school it may take of all schools with the same
 * limit together, in each process.
 */
export function createLimiter(
  store: RecordStore,
  what: AddressLimit,
  limits: SiteLimits,
  callerOf: CallerFinder,
): Limiter {
  const everywhere = new WindowCounters(hour);
  return async (ctx, site, calls) => {
    const all = limits(site);
    if (all === false) return;
    const limit = all[what];
    const { most, share } = sharesOf(limit);
    const caller = callerOf(ctx);
    const own = quotasOf(caller, limit.perAddress, most + share);
    const wait = everywhere.use(own, calls);
    if (wait !== undefined) throw slowDown(wait);
    try {
      await consumeOrRefuse(store, site.id, stepsOf(what, limit, caller), calls);
    } catch (error) {
      everywhere.giveBack(own, calls);
      throw error;
    }
  };
}

/** The quotas of an address and its network; none for a caller whose address is not known. Schools with other limits have others. */
export function quotasOf({ address, network }: Caller, perAddress: number, perNetwork: number): readonly Quota[] {
  if (address === undefined) return [];
  return [
    { name: `${address} ${perAddress}`, limit: perAddress },
    { name: `${network}* ${perNetwork}`, limit: perNetwork },
  ];
}

/** How often members ask their school for an application. */
export const requestLimit: HourlyLimit = { perAddress: 10, perSite: 200 };

/** A limiter for signed-in members. Nobody else can use up its quotas. */
export function createSignedInLimiter(
  store: RecordStore,
  what: string,
  limitAt: AtSite<HourlyLimit | undefined>,
): SignedInLimiter {
  return async (site, memberId) => {
    const limit = limitAt(site);
    if (!limit) return;
    const network = digest(memberId);
    const member = { address: `member:${network}`, network };
    await consumeOrRefuse(store, site.id, stepsOf(`${what}:members`, limit, member));
  };
}

/** How many messages may be refused for one that may be served. */
const refusalsPerCall = 10;

/** A process counts what it has read itself: the first request of most clients is one that is refused, and costs no round trip. */
export function createRefusalCounter(limits: SiteLimits, callerOf: CallerFinder): RefusalCounter {
  const refusals = new WindowCounters(hour);
  const counted = (ctx: Context, site: Site): readonly Quota[] => {
    const all = limits(site);
    if (all === false) return [];
    const limit = all.anonymousCalls.perAddress * refusalsPerCall;
    const caller = callerOf(ctx);
    const own = quotasOf(caller, limit, limit * 4);
    return own.length > 0 ? own : [{ name: `${site.id} ${caller.network}`, limit: limit * 4 }];
  };
  return {
    count: (ctx, site, calls) => refusals.count(counted(ctx, site), calls),
    isUsedUp: (ctx, site) => refusals.wait(counted(ctx, site)) !== undefined,
  };
}

/** Counts calls with a token. @throws OAuthError `slow_down`, status 429 */
type TokenLimiter = (access: CountedAccess, calls?: number) => Promise<void>;

/** A limiter by member and client, or by service, for calls with a token. There are never more counters than connections. */
export function createTokenLimiter(store: RecordStore, limits: SiteLimits): TokenLimiter {
  return async ({ site, member, clientId }, calls) => {
    const all = limits(site);
    if (all === false) return;
    const name = `tokenCalls:${digest(JSON.stringify([member?.id, clientId]))}`;
    await consumeOrRefuse(store, site.id, [[{ name, limit: all.tokenCalls.perMember }]], calls);
  };
}

/** A limiter by member, for calls with any token or for pages. The process counts: a verification stays one round trip. */
export function createMemberLimiter(what: 'memberCalls' | 'pages', limits: SiteLimits): MemberLimiter {
  const counters = new WindowCounters(hour);
  return (site, memberId, uses) => {
    const all = limits(site);
    if (all === false) return;
    const wait = counters.use([{ name: `${site.id} ${memberId}`, limit: all[what].perMember }], uses);
    if (wait !== undefined) throw slowDown(wait);
  };
}

/** How much of a school's hour is shared out, and what one network, or one member, may take: `most` of the rest, and its `share`. */
function sharesOf({ perSite }: HourlyLimit) {
  const shared = Math.floor(perSite / 2);
  return { shared, most: Math.max(1, Math.floor(perSite / 4)), share: Math.max(1, Math.floor(shared / 100)) };
}

/**
 * The first half of the school's quota is first come, first served, but no network gets more than a quarter of the hour. When it is
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
  store: RecordStore,
  siteId: string,
  steps: readonly (readonly Quota[])[],
  uses?: number,
): Promise<void> {
  const waits: number[] = [];
  for (const quotas of steps) {
    const wait = await store.consumeQuota(siteId, quotas, hour, uses);
    if (wait === undefined) return;
    waits.push(wait);
  }
  throw slowDown(Math.min(...waits));
}

/** `slow_down`, status 429, with `Retry-After` in seconds. */
export function slowDown(seconds: number, what = 'too many requests'): OAuthError {
  const headers = { 'Retry-After': String(seconds) };
  return new OAuthError('slow_down', `${what}; try again in ${seconds} seconds`, { status: 429, headers });
}
