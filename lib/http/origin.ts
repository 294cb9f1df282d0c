import type { Context } from 'koa';
import { boundedCache } from '../kernel/bounded-cache.ts';
import { longestHost, servedOrigin } from '../kernel/served-origin.ts';

/** Strictly parsed; `undefined` if its parts contradict each other. `X-Forwarded-*` are used only if the host has set `app.proxy`. */
export function requestOrigin(ctx: Context): string | undefined {
  return originOf(ctx, ctx.protocol, addressedHost(ctx, ctx.app.proxy));
}

/** The origin that a request through a proxy addresses if `app.proxy` is not set; `undefined` for any other request. */
export function forwardedOrigin(ctx: Context): string | undefined {
  const protocol = firstOf(ctx, 'X-Forwarded-Proto');
  if (ctx.app.proxy || (protocol === '' && firstOf(ctx, 'X-Forwarded-Host') === '')) return undefined;
  return originOf(ctx, protocol === '' ? ctx.protocol : protocol, addressedHost(ctx, true));
}

function originOf(ctx: Context, protocol: string, host: string | undefined): string | undefined {
  if (host === undefined || host.length > longestHost) return undefined;
  const address = `${protocol}://${host}`;
  let origin = parsed.get(address);
  if (origin === undefined) {
    origin = servedOrigin(protocol, host);
    if (origin === undefined) return undefined;
    parsed.set(address, origin);
  }
  return targetAgrees(ctx.req.url, origin) ? origin : undefined;
}

/** The origins of recent requests: parsing an address takes longer than finding the school. */
const parsed = boundedCache<string>(1000);

/** The first value of a header that each proxy adds to. */
function firstOf(ctx: Context, header: string): string {
  return ctx.get(header).split(',', 1)[0]?.trim() ?? '';
}

function addressedHost(ctx: Context, proxied: boolean): string | undefined {
  if (proxied) {
    const forwarded = firstOf(ctx, 'X-Forwarded-Host');
    if (forwarded !== '') return forwarded;
  }
  const authority = ctx.req.headers[':authority'];
  if (typeof authority === 'string') return authority;
  return headerCount(ctx, 'host') > 1 ? undefined : ctx.req.headers.host;
}

/** How often a header was sent. Node keeps only the first of some headers. */
export function headerCount({ req: { rawHeaders } }: Context, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === name.length && rawHeaders[i]?.toLowerCase() === name) count += 1;
  }
  return count;
}

/** A request target in absolute form also contains the host; it must be the same one. RFC 9112 section 3.2.2. */
function targetAgrees(target: string | undefined, origin: string): boolean {
  return target?.startsWith('/') === true || URL.parse(target ?? '')?.origin === origin;
}
