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
export type TokenLimiter = (siteId: string, access: Access) => Promise<void>;

export type AddressLimit = Exclude<keyof Limits, 'tokenCalls' | 'refreshes'>;

/**
 * A limiter by address and by site. The store counts, so that all processes share the quotas. Both quotas are consumed in
 * one step: an address over its limit does not use up the site's quota, and once the site's quota is used up, no counters
 * are made for further addresses.
 */
export function createLimiter(store: Quotas, what: AddressLimit, limits: Limits | false): Limiter {
  if (limits === false) return async () => {};
  const { perAddress, perSite } = limits[what];
  return (ctx, siteId) =>
    consumeOrRefuse(store, siteId, [
      { name: `${what}:site`, limit: perSite },
      { name: `${what}:${network(ctx.ip)}`, limit: perAddress },
    ]);
}

/** A limiter by member and client, for calls with a token. There are never more counters than connections. */
export function createTokenLimiter(store: Quotas, limits: Limits | false): TokenLimiter {
  if (limits === false) return async () => {};
  const { perMember } = limits.tokenCalls;
  return (siteId, { member, clientId }) => {
    const name = `tokenCalls:${digest(JSON.stringify([member.id, clientId]))}`;
    return consumeOrRefuse(store, siteId, [{ name, limit: perMember }]);
  };
}

async function consumeOrRefuse(store: Quotas, siteId: string, quotas: readonly Quota[]): Promise<void> {
  const wait = await store.consumeQuota(siteId, quotas, hour);
  if (typeof wait === 'number') throw slowDown(wait);
}

/** `slow_down`, status 429, with `Retry-After` in seconds. */
export function slowDown(seconds: number): OAuthError {
  const headers = { 'Retry-After': String(seconds) };
  return new OAuthError('slow_down', `too many requests; try again in ${seconds} seconds`, { status: 429, headers });
}

/** The IPv4 address, or the /64 network of an IPv6 address: a customer usually has a whole one. */
function network(ip: string): string {
  const [plain = ''] = ip.split('%');
  // X-Forwarded-For may contain anything.
  if (isIP(plain) === 0) return 'unknown';
  if (isIPv4(plain)) return plain;
  const { address } = new SocketAddress({ address: plain, family: 'ipv6' });
  const mapped = address.replace(/^::ffff:(?=[\d.]+$)/, '');
  if (isIPv4(mapped)) return mapped;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
