import type { Context } from 'koa';

const hostPattern = /^(\[[\da-f:.]+\]|[\da-z](?:[\da-z.-]*[\da-z])?)(?::\d{1,5})?$/i;

/**
 * The origin that a request addresses, strictly parsed; `undefined` when its parts are malformed or contradict each
 * other. `X-Forwarded-Host` and `X-Forwarded-Proto` are used only if the host application has set `app.proxy`.
 */
export function requestOrigin(ctx: Context): string | undefined {
  const host = addressedHost(ctx);
  const name = host === undefined ? undefined : hostPattern.exec(host)?.[1];
  if (name === undefined || !['http', 'https'].includes(ctx.protocol)) return undefined;
  const url = URL.parse(`${ctx.protocol}://${host}`);
  // Spellings that the URL parser rewrites (0x7f.1, 127.1) are rejected.
  if (url?.hostname !== name.toLowerCase()) return undefined;
  return targetAgrees(ctx.req.url, url.origin) ? url.origin : undefined;
}

function addressedHost(ctx: Context): string | undefined {
  if (ctx.app.proxy) {
    const forwarded = ctx.get('X-Forwarded-Host').split(',', 1)[0]?.trim();
    if (forwarded) return forwarded;
  }
  const authority = ctx.req.headers[':authority'];
  if (typeof authority === 'string') return authority;
  const hosts = ctx.req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length > 1 ? undefined : ctx.req.headers.host;
}

/** A request target in absolute form contains the host, too; it must be the same one. RFC 9112 section 3.2.2. */
function targetAgrees(target: string | undefined, origin: string): boolean {
  return target?.startsWith('/') === true || URL.parse(target ?? '')?.origin === origin;
}
