import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { OAuthError } from '../protocol/errors.ts';

export interface ServedDocument {
  readonly type: string;
  readonly body: string;
  readonly etag: string;
}

export function jsonDocument(content: object): ServedDocument {
  return textDocument('application/json', JSON.stringify(content));
}

export function textDocument(type: string, body: string): ServedDocument {
  return { type, body, etag: createHash('sha256').update(body).digest('base64url') };
}

/** Sends a public document, or 304 if the caller's copy is current. */
export function sendDocument(ctx: Context, document: ServedDocument): void {
  ctx.set('Cache-Control', 'public, max-age=300');
  ctx.etag = document.etag;
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = document.type;
  ctx.body = document.body;
}

/** No cache may store the response. RFC 6749 section 5.1. */
export function noStore(ctx: Context): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Pragma', 'no-cache');
}

/** The only place that writes JSON errors. */
export function sendError(ctx: Context, error: OAuthError): void {
  noStore(ctx);
  ctx.set({ ...error.headers });
  ctx.body = error.toJSON();
  ctx.status = error.status;
}
