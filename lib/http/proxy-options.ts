import type { IncomingMessage } from 'node:http';
import { flag, type Shape, whole } from '../kernel/option-schemas.ts';
import { isObject } from '../kernel/validate.ts';

/** Whether you trust the proxy in front of a framework other than Koa. */
export interface ProxyOptions {
  /**
   * Whether the proxy in front sets `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-For` itself, so that they can be
   * trusted. @default what `trust proxy` says of the caller in an Express application, otherwise `false`
   */
  readonly proxy?: boolean | undefined;
  /** How many proxies are in front and add to `X-Forwarded-For`; used with `proxy: true`. @default 1 */
  readonly maxIpsCount?: number | undefined;
}

/** @internal */
export const proxyFields = {
  proxy: flag.optional(),
  maxIpsCount: whole('whole number', 1, 100).default(1),
} satisfies Shape<ProxyOptions>;

/** `ProxyOptions` as they were read. */
export interface ProxyTrust {
  readonly proxy?: boolean | undefined;
  readonly maxIpsCount: number;
}

/** Whether the caller of a request is a trusted proxy, and which address Express computed if its setting says so. */
export function trustIn(
  req: IncomingMessage,
  { proxy }: ProxyTrust,
): { readonly isProxied: boolean; readonly ip?: string } {
  if (proxy !== undefined || !trustsProxy(req)) return { isProxied: proxy ?? false };
  return { isProxied: true, ...('ip' in req && typeof req.ip === 'string' && { ip: req.ip }) };
}

/** Whether an Express application trusts the address that a request comes from. Mounted applications inherit the setting. */
function trustsProxy(req: IncomingMessage): boolean {
  const app: unknown = 'app' in req ? req.app : undefined;
  const settings: unknown = typeof app === 'function' && 'settings' in app ? app.settings : undefined;
  const trusts = isObject(settings) ? settings['trust proxy fn'] : undefined;
  return typeof trusts === 'function' && Reflect.apply(trusts, app, [req.socket.remoteAddress, 0]) === true;
}

/** The protocol of a request as Koa reads it. */
export function protocolOf(isEncrypted: boolean, isProxied: boolean, forwarded: string): string {
  if (isEncrypted) return 'https';
  const [first = ''] = isProxied ? forwarded.split(',', 1) : [];
  return first.trim().toLowerCase() || 'http';
}

/** The address that a trusted proxy says the caller has, as Koa reads it; `undefined` without one. */
export function forwardedAddress(forwarded: string, { maxIpsCount }: ProxyTrust): string | undefined {
  const addresses = forwarded === '' ? [] : forwarded.split(',').map((address) => address.trim());
  return addresses.slice(-maxIpsCount)[0] || undefined;
}
