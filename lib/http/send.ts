import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Site } from '../host/school-platform.ts';
import type { Route } from './route.ts';
import type { OAuthError } from '../kernel/errors.ts';
import type { PlainResponse, ResponseHeaders } from './plain-response.ts';

export interface ServedDocument {
  readonly type: string;
  readonly body: string;
  readonly etag: string;
}

export function jsonDocument(content: object): ServedDocument {
  return textDocument('application/json; charset=utf-8', JSON.stringify(content));
}

export function textDocument(type: string, body: string): ServedDocument {
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

export function sendDocument(ctx: Context, document: ServedDocument): void {
  ctx.set('Cache-Control', 'public, max-age=300');
  ctx.set('ETag', document.etag);
  ctx.status = 200;
  // Few requests have the header, and Koa copies all headers to compare it.
  if (ctx.req.headers['if-none-match'] !== undefined && ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.set('Content-Type', document.type);
  ctx.body = document.body;
}

/** A document of a school, as this request gets it. */
export type SiteDocument = (site: Site, ctx: Context) => ServedDocument;

/** A document of a school in one of its variants, each of which is built once: what it says beside the usual. */
export function siteDocument<V extends object>(
  build: (site: Site, variant: V) => ServedDocument,
): (site: Site, variant: V) => ServedDocument {
  // For all schools at most 32 million characters.
  const maxSize = 32 * 1024 * 1024;
  const built = new LRUCache<string, ServedDocument>({ maxSize, sizeCalculation: ({ body }) => body.length });
  return (site, variant) => {
    const { id, origin, name, connectionsEnabled } = site;
    const text = JSON.stringify(variant);
    // Only the name and the variant, after its length, can have a space.
    const key = `${id} ${origin} ${connectionsEnabled} ${text.length} ${text} ${name}`;
    let document = built.get(key);
    if (!document) {
      document = build(site, variant);
      built.set(key, document);
    }
    return document;
  };
}

export function documentRoute(path: string, documentOf: SiteDocument): Route {
  return {
    path,
    methods: ['GET'],
    kind: 'static',
    handle: ({ ctx, site }) => sendDocument(ctx, documentOf(site, ctx)),
  };
}

const noStoreHeaders = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } satisfies ResponseHeaders;

/** No cache may store the response. RFC 6749 section 5.1. */
export function noStore(ctx: Context): void {
  ctx.set(noStoreHeaders);
}

/** The only place that makes JSON errors. */
export function errorResponse(error: OAuthError): PlainResponse {
  const headers = { ...noStoreHeaders, ...error.headers, 'Content-Type': 'application/json; charset=utf-8' };
  return { status: error.status, headers, body: error.toJSON() };
}

export function sendError(ctx: Context, error: OAuthError): void {
  sendResponse(ctx, errorResponse(error));
}

export function sendResponse(ctx: Context, { status, headers, body }: PlainResponse): void {
  setHeaders(ctx, headers);
  if (body) ctx.body = body;
  ctx.status = status;
}

export function setHeaders(ctx: Context, headers: ResponseHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'Vary') ctx.vary(value);
    else ctx.set(name, value);
  }
}
