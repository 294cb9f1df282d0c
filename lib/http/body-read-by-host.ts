import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';

/** Whether the host has read the body, or has begun to, so that the stream does not have all of it. */
export function isBodyRead(req: IncomingMessage): boolean {
  return req.readableDidRead || req.readableEnded;
}

/** Its bytes or text, or else its parser's result. @throws Error if there is nothing, or if the host is still reading */
export function hostBody(ctx: Context): unknown {
  if (!ctx.req.readableEnded) throw new Error(unfinished);
  const places: readonly object[] = [ctx.request, ctx.req];
  const raw = places.map((place) => read(place, 'rawBody')).find(isText);
  const body = raw ?? places.map((place) => read(place, 'body') ?? undefined).find((value) => value !== undefined);
  if (body !== undefined && !isPlaceholder(ctx, body)) return body;
  if (ctx.request.length === 0) return '';
  throw new Error(
    'the request body was read before campus got it, and req.body (Koa: ctx.request.body) is empty; mount campus before the body parser, or set req.body',
  );
}

const unfinished =
  'the request body has been read in part; mount campus before the body parser, or call campus after the body has ended';

function read(place: object, name: string): unknown {
  return Reflect.get(place, name);
}

function isText(value: unknown): value is string | Buffer {
  return typeof value === 'string' || Buffer.isBuffer(value);
}

const longestEmptyObject = 4;

/** The parsers of Express 4 put `{}` where they do not parse, and set `_body` where they do; those of Express 5 do neither. */
function isPlaceholder(ctx: Context, body: unknown): boolean {
  if (typeof body !== 'object' || body === null || isText(body) || !isExpress4(ctx)) return false;
  const empty = Object.keys(body).length === 0 && !Array.isArray(body);
  return empty && (ctx.request.length ?? 0) > longestEmptyObject && read(ctx.req, '_body') !== true;
}

/** Only its applications have this method. */
function isExpress4({ req }: Context): boolean {
  const app = read(req, 'app');
  return typeof app === 'function' && 'lazyrouter' in app;
}
