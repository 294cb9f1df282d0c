import { isIPv6 } from 'node:net';
import type { Context } from 'koa';
import type { Store } from './contracts/store.ts';
import { OAuthError } from './errors.ts';

/** How often something may happen in an hour. */
export interface HourlyLimit {
  /** From one address (IPv4), or one /64 network (IPv6). */
  readonly perAddress: number;
  /** At one site, whoever asks: what bounds the store. */
  readonly perSite: number;
}

/** Limits on what anybody may make the server write or fetch. */
export interface Limits {
  /** Registrations. @default { perAddress: 60, perSite: 600 } */
  readonly registrations: HourlyLimit;
  /** Look-ups of metadata documents that are not in the cache. @default { perAddress: 60, perSite: 600 } */
  readonly documents: HourlyLimit;
}

/** The limits where nothing else is said. */
export const defaultLimits: Limits = {
  registrations: { perAddress: 60, perSite: 600 },
  documents: { perAddress: 60, perSite: 600 },
};

const hour = 60 * 60;

/** Counts one more, or refuses. */
export type Limiter = (ctx: Context, siteId: string) => Promise<void>;

/**
 * A limiter over the store, so that every process counts together. The site is counted first: once it is spent, no
 * counter is made for yet another address.
 *
 * @throws OAuthError `slow_down`, status 429, with `Retry-After` in seconds
 */
export function createLimiter(store: Pick<Store, 'count'>, what: keyof Limits, limits: Limits | false): Limiter {
  if (limits === false) return async () => {};
  const { perAddress, perSite } = limits[what];
  const spend = async (siteId: string, name: string, most: number): Promise<void> => {
    const { count, resetIn } = await store.count(siteId, `${what}:${name}`, hour);
    if (count > most) throw tooMany(resetIn);
  };
  return async (ctx, siteId) => {
    await spend(siteId, 'site', perSite);
    await spend(siteId, network(ctx.ip), perAddress);
  };
}

function tooMany(seconds: number): OAuthError {
  const headers = { 'Retry-After': String(seconds) };
  return new OAuthError('slow_down', `too many requests; try again in ${seconds} seconds`, { status: 429, headers });
}

/** One customer has a whole /64 network of IPv6 addresses. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - rest.length }, () => '0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}
