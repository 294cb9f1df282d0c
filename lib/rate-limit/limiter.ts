import { isIP, isIPv6 } from 'node:net';
import type { Context } from 'koa';
import type { Access } from '../contracts/access.ts';
import type { Limits } from '../contracts/limits.ts';
import type { Quota, Store } from '../contracts/store.ts';
import { digest } from '../runtime/crypto.ts';
import { OAuthError } from '../protocol/errors.ts';

const hour = 60 * 60;

/** Counts one more, or refuses. */
export type Limiter = (ctx: Context, siteId: string) => Promise<void>;

/** What is limited by address. */
export type AddressLimit = Exclude<keyof Limits, 'tokenCalls'>;

/**
 * A limiter over the store, so that every process counts together. Address and site are counted in one step: who is over
 * the limit of an address uses up nothing of the site's, and once the site is spent, no counter is made for yet another
 * address.
 *
 * @throws OAuthError `slow_down`, status 429, with `Retry-After` in seconds
 */
export function createLimiter(store: Pick<Store, 'consumeQuota'>, what: AddressLimit, limits: Limits | false): Limiter {
  if (limits === false) return async () => {};
  const { perAddress, perSite } = limits[what];
  return (ctx, siteId) =>
    consumeOrRefuse(store, siteId, [
      { name: `${what}:site`, limit: perSite },
      { name: `${what}:${network(ctx.ip)}`, limit: perAddress },
    ]);
}

/** Counts one more for the member and client of a token, or refuses. */
export type TokenLimiter = (siteId: string, access: Access) => Promise<void>;

/**
 * A limiter of what tokens open, over the store. There are no more counters than there are connections.
 *
 * @throws OAuthError `slow_down`, status 429, with `Retry-After` in seconds
 */
export function createTokenLimiter(store: Pick<Store, 'consumeQuota'>, limits: Limits | false): TokenLimiter {
  if (limits === false) return async () => {};
  const { perMember } = limits.tokenCalls;
  return (siteId, { member, clientId }) => {
    const name = `tokenCalls:${digest(JSON.stringify([member.id, clientId]))}`;
    return consumeOrRefuse(store, siteId, [{ name, limit: perMember }]);
  };
}

async function consumeOrRefuse(
  store: Pick<Store, 'consumeQuota'>,
  siteId: string,
  quotas: readonly Quota[],
): Promise<void> {
  const wait = await store.consumeQuota(siteId, quotas, hour);
  if (typeof wait === 'number') throw tooMany(wait);
}

function tooMany(seconds: number): OAuthError {
  const headers = { 'Retry-After': String(seconds) };
  return new OAuthError('slow_down', `too many requests; try again in ${seconds} seconds`, { status: 429, headers });
}

/** One customer has a whole /64 network of IPv6 addresses. */
function network(address: string): string {
  // What a proxy handed on may be anything; it is no name for a counter then.
  if (isIP(address) === 0) return 'unknown';
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - rest.length }, () => '0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}
