import type { Context } from 'koa';

/**
 * Lets scripts of any origin call an endpoint. No cookie is ever read there, so nothing is lent to them that they do
 * not hold themselves. Answers a preflight and returns true; for other requests sets the headers and returns false.
 */
export function allowAnyOrigin(ctx: Context, methods: readonly string[]): boolean {
  ctx.set('Access-Control-Allow-Origin', '*');
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
