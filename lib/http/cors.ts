import type { Context } from 'koa';
import { AccessDenied } from '../protocol/errors.ts';

/**
 * Lets scripts of any origin call an endpoint. No cookie is ever read there, so nothing is lent to them that they do
 * not hold themselves. Answers a preflight and returns true; for other requests sets the headers and returns false.
 */
export function allowAnyOrigin(ctx: Context, methods: readonly string[]): boolean {
  return allow(ctx, '*', methods);
}

/**
 * As `allowAnyOrigin`, for scripts of the site's `own` origin and of these. A request without `Origin` is no script's.
 *
 * @throws AccessDenied, status 403, for any other origin. MCP, Streamable HTTP, Security
 */
export function allowOrigins(
  ctx: Context,
  methods: readonly string[],
  own: string,
  origins: readonly string[],
): boolean {
  ctx.vary('Origin');
  const origin = ctx.get('Origin');
  if (origin === '') return false;
  if (origin !== own && !origins.includes(origin)) {
    throw new AccessDenied(
      `scripts of ${origin} may not call this address; the school's platform has a list of those`,
      {
        status: 403,
      },
    );
  }
  return allow(ctx, origin, methods);
}

function allow(ctx: Context, origin: string, methods: readonly string[]): boolean {
  ctx.set('Access-Control-Allow-Origin', origin);
  if (ctx.method !== 'OPTIONS') {
    ctx.set('Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After');
    return false;
  }
  ctx.set('Access-Control-Allow-Methods', methods.join(', '));
  const headers = ctx.get('Access-Control-Request-Headers');
  if (headers) ctx.set('Access-Control-Allow-Headers', headers);
  ctx.set('Access-Control-Max-Age', '3600');
  ctx.vary('Access-Control-Request-Headers');
  ctx.status = 204;
  return true;
}
