import { isIP, isIPv4, SocketAddress } from 'node:net';
import type { Context } from 'koa';
import type { Access } from '../contracts/client.ts';
import type { Limits } from '../contracts/limits.ts';
import type { Quota, Store } from '../contracts/store.ts';
import { digest } from '../runtime/crypto.ts';
import { OAuthError } from '../protocol/errors.ts';

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
 *
 * The first half of the site's quota is first come, first served. When it is used up, or the address is over its limit, the
 * other half is tried, of which each network gets a small share: a few addresses cannot use up the hour of all others.
 */
export function createLimiter(store: Quotas, what: AddressLimit, limits: Limits | false): Limiter {
  if (limits === false) return async () => {};
  const { perAddress, perSite } = limits[what];
  const shared = Math.floor(perSite / 2);
  const share = Math.max(1, Math.floor(shared / 100));
  return (ctx, siteId) => {
    const { address, network } = networkOf(ctx.ip);
    const own = { name: `${what}:${address}`, limit: perAddress };
    return consumeOrRefuse(store, siteId, [
      [{ name: `${what}:site`, limit: perSite - shared }, own],
      [{ name: `${what}:shared`, limit: shared }, { name: `${what}:shared:${network}`, limit: share }, own],
    ]);
  };
}

/** A limiter of authorization requests. Signed-in members have a quota of their own, out of the reach of all others. */
export function createAuthorizationLimiter(store: Quotas, limits: Limits | false): AuthorizationLimiter {
  if (limits === false) return async () => {};
  const anonymous = createLimiter(store, 'authorizations', limits);
  const { perAddress } = limits.authorizations;
  return (ctx, siteId, memberId) => {
    if (memberId === undefined) return anonymous(ctx, siteId);
    return consumeOrRefuse(store, siteId, [[{ name: `authorizations:member:${digest(memberId)}`, limit: perAddress }]]);
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
export function slowDown(seconds: number): OAuthError {
  const headers = { 'Retry-After': String(seconds) };
  return new OAuthError('slow_down', `too many requests; try again in ${seconds} seconds`, { status: 429, headers });
}

/** Where a request comes from: what one customer usually has, and the range that it is in. */
interface Network {
  /** The IPv4 address, or the /64 network of an IPv6 address. */
  readonly address: string;
  /** The /24 network of an IPv4 address, or the /48 network of an IPv6 address. */
  readonly network: string;
}

function networkOf(ip: string): Network {
  const [plain = ''] = ip.split('%');
  // X-Forwarded-For may contain anything.
  if (isIP(plain) === 0) return { address: 'unknown', network: 'unknown' };
  if (isIPv4(plain)) return { address: plain, network: plain.slice(0, plain.lastIndexOf('.')) };
  const { address } = new SocketAddress({ address: plain, family: 'ipv6' });
  const mapped = address.replace(/^::ffff:(?=[\d.]+$)/, '');
  if (isIPv4(mapped)) return networkOf(mapped);
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail];
  return { address: groups.slice(0, 4).join(':'), network: groups.slice(0, 3).join(':') };
}
