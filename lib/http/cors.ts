import type { Context } from 'koa';
import { AccessDenied } from '../protocol/errors.ts';

/**
 * Why a script may not call a route, or `undefined` if it may: without a list of `allowed` origins every script may. A
 * request without `Origin` does not come from a script of another origin. MCP, Streamable HTTP, Security.
 */
export function originRefusal(ctx: Context, own: string, allowed?: readonly string[]): AccessDenied | undefined {
  const origin = ctx.get('Origin');
  if (allowed === undefined || origin === '' || origin === own || allowed.includes(origin)) return undefined;
  const message = `scripts of ${origin} may not call this address; ask the school's platform to allow this origin`;
  return new AccessDenied(message, { status: 403, headers: { Vary: 'Origin' } });
}

/** Makes the response readable to the calling script. Call `originRefusal` first. No cookie is read at these routes. */
export function setCorsHeaders(ctx: Context, allowed?: readonly string[]): void {
  const origin = allowed === undefined ? '*' : ctx.get('Origin');
  if (allowed !== undefined) ctx.vary('Origin');
  if (origin === '') return;
  ctx.set('Access-Control-Allow-Origin', origin);
  if (ctx.method !== 'OPTIONS') ctx.set('Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After');
}

/** Responds to a preflight request; returns whether it was one. */
export function handlePreflight(ctx: Context, methods: readonly string[], allowed?: readonly string[]): boolean {
  if (ctx.method !== 'OPTIONS' || (allowed !== undefined && ctx.get('Origin') === '')) return false;
  ctx.set('Access-Control-Allow-Methods', methods.join(', '));
  const headers = ctx.get('Access-Control-Request-Headers');
  if (headers) ctx.set('Access-Control-Allow-Headers', headers);
  ctx.set('Access-Control-Max-Age', '3600');
  ctx.vary('Access-Control-Request-Headers');
  ctx.status = 204;
  return true;
}
