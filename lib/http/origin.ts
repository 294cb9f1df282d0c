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
  return repeated(ctx.req.rawHeaders, 'host') ? undefined : ctx.req.headers.host;
}

function repeated(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === name) seen += 1;
  return seen > 1;
}

/** A request target in absolute form contains the host, too; it must be the same one. RFC 9112 section 3.2.2. */
function targetAgrees(target: string | undefined, origin: string): boolean {
  return target?.startsWith('/') === true || URL.parse(target ?? '')?.origin === origin;
}
