import type { Context } from 'koa';
import { AccessDenied } from '../kernel/errors.ts';
import type { ReceivedRequest } from './received-request.ts';
import type { ResponseHeaders } from './plain-response.ts';
import { setHeaders } from './send.ts';

/** Without `allowed`, scripts of every origin may. Without `Origin`, it is no script of another one. MCP, Streamable HTTP, Security. */
export function originRefusal(ctx: Context, own: string, allowed?: readonly string[]): AccessDenied | undefined {
  const { origin = '' } = ctx.req.headers;
  if (allowed === undefined || origin === '' || origin === own || allowed.includes(origin)) return undefined;
  const message = `scripts of ${origin} may not call this address; ask the school's platform to allow this origin`;
  return new AccessDenied(message, { status: 403, headers: { Vary: 'Origin' } });
}

/** Makes the response readable to the calling script. Call `originRefusal` first. No cookie is read at these routes. RFC 10017 section 6.3.3.4. */
export function setCorsHeaders(ctx: Context, allowed?: readonly string[]): void {
  const origin = allowed === undefined ? '*' : ctx.get('Origin');
  if (allowed !== undefined) ctx.vary('Origin');
  if (origin === '') return;
  setHeaders(ctx, readableBy(origin, ctx.method));
}

const exposed = 'WWW-Authenticate, Retry-After';

function readableBy(origin: string, method: string): ResponseHeaders {
  return {
    'Access-Control-Allow-Origin': origin,
    ...(method !== 'OPTIONS' && { 'Access-Control-Expose-Headers': exposed }),
  };
}

/** Headers with which scripts can read `DPoP-Nonce`, if they have it. */
export function exposingNonce(headers: ResponseHeaders): ResponseHeaders {
  if (headers['DPoP-Nonce'] === undefined) return headers;
  return { ...headers, 'Access-Control-Expose-Headers': `${exposed}, DPoP-Nonce` };
}

/** The same for the engine, which sets the header itself. */
export function exposeNonce(ctx: Context): void {
  if (ctx.res.hasHeader('DPoP-Nonce')) ctx.set('Access-Control-Expose-Headers', `${exposed}, DPoP-Nonce`);
}

/** Says what may be sent: to anyone in `Allow`, and to a script as the response to its preflight. RFC 9110 section 9.3.7. */
export function answerOptions(ctx: Context, methods: readonly string[], allowed?: readonly string[]): void {
  ctx.set('Allow', [...methods, 'OPTIONS'].join(', '));
  ctx.status = 204;
  if (allowed === undefined || ctx.get('Origin') !== '') setHeaders(ctx, preflightHeaders(ctx, methods));
}

function preflightHeaders(request: Pick<ReceivedRequest, 'get'>, methods: readonly string[]): ResponseHeaders {
  const headers = request.get('Access-Control-Request-Headers');
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    ...(headers !== '' && { 'Access-Control-Allow-Headers': headers }),
    'Access-Control-Max-Age': '3600',
    Vary: 'Access-Control-Request-Headers',
  };
}

/** Makes a route of the host readable to scripts of any origin. No cookie is read there. */
export function apiCorsHeaders({ method }: ReceivedRequest): ResponseHeaders {
  return readableBy('*', method);
}

/** The headers of the response to a preflight request for a route of the host, of whichever method; `undefined` for any other request. */
export function apiPreflightHeaders(request: ReceivedRequest): ResponseHeaders | undefined {
  const method = request.get('Access-Control-Request-Method');
  const isPreflight = request.method === 'OPTIONS' && request.get('Origin') !== '' && /^[\w-]+$/.test(method);
  return isPreflight ? preflightHeaders(request, [method]) : undefined;
}

/** Koa removes all headers from the response to an error, except for those that the error has itself. */
export async function keepCorsHeaders(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (error instanceof Error && Object.isExtensible(error)) {
      const own: unknown = Reflect.get(error, 'headers');
      const names = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];
      const set = names.filter((name) => ctx.res.hasHeader(name));
      const kept = Object.fromEntries(set.map((name) => [name, ctx.response.get(name)]));
      Reflect.set(error, 'headers', { ...kept, ...(typeof own === 'object' ? own : {}) });
    }
    throw error;
  }
}
