import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { OAuthError } from '../protocol/errors.ts';

/** A document that is served from memory. */
export interface ServedDocument {
  readonly type: string;
  readonly body: string;
  readonly etag: string;
}

/** Builds a JSON document once, with its entity tag. */
export function jsonDocument(content: object): ServedDocument {
  return textDocument('application/json', JSON.stringify(content));
}

/** Builds a document of text once, with its entity tag. */
export function textDocument(type: string, body: string): ServedDocument {
  return { type, body, etag: createHash('sha256').update(body).digest('base64url') };
}

/** Serves a public document, with 304 for a caller that has it already. */
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

/** Nothing on the way may keep this answer. RFC 6749 section 5.1. */
export function noStore(ctx: Context): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Pragma', 'no-cache');
}

/** The one place that writes a JSON error. */
export function sendError(ctx: Context, error: OAuthError): void {
  noStore(ctx);
  ctx.set({ ...error.headers });
  ctx.body = error.toJSON();
  ctx.status = error.status;
}
