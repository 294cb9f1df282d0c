import { parse } from 'node:querystring';
import type { Context } from 'koa';
import { InvalidRequest } from '../errors.ts';

/** Form fields as posted; a repeated one is an array. */
export type Form = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The most that a form or JSON body may have where nothing else is said, in bytes. */
export const bodyLimit: number = 64 * 1024;

/**
 * The fields of an `application/x-www-form-urlencoded` body, read from the stream or, when a body parser of the host
 * stood in front, from what that one left.
 *
 * @throws InvalidRequest for another content type, encoding or charset, a malformed body, or one that is too large
 */
export async function readForm(ctx: Context): Promise<Form> {
  const type = 'application/x-www-form-urlencoded';
  if (!ctx.is(type)) {
    throw new InvalidRequest(`the body must be ${type}, not ${ctx.get('Content-Type') || 'of no content type'}`);
  }
  const body = await readBody(ctx, bodyLimit);
  return typeof body === 'string' ? parse(body, '&', '=', { maxKeys: 200 }) : formOf(body);
}

/**
 * The value of an `application/json` body.
 *
 * @param limit - the most that it may have, in bytes
 * @throws InvalidRequest for another content type, encoding or charset, malformed JSON, or a body that is too large
 */
export async function readJson(ctx: Context, limit: number = bodyLimit): Promise<unknown> {
  const type = 'application/json';
  if (!ctx.is(type)) {
    throw new InvalidRequest(`the body must be ${type}, not ${ctx.get('Content-Type') || 'of no content type'}`);
  }
  const body = await readBody(ctx, limit);
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new InvalidRequest('the body must be JSON', { cause });
  }
}

/** The body as text, or as a body parser of the host has parsed it. */
async function readBody(ctx: Context, limit: number): Promise<unknown> {
  if (ctx.req.readableDidRead) return ('body' in ctx.request ? ctx.request.body : undefined) ?? '';
  const encoding = ctx.get('Content-Encoding');
  if (encoding && encoding !== 'identity') {
    throw new InvalidRequest(`the body must not be compressed; it came with Content-Encoding: ${encoding}`);
  }
  if (ctx.request.charset && ctx.request.charset.toLowerCase() !== 'utf-8') {
    throw new InvalidRequest(`the body must be UTF-8; it came with charset=${ctx.request.charset}`);
  }
  if ((ctx.request.length ?? 0) > limit) throw tooLarge(ctx, limit);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > limit) throw tooLarge(ctx, limit);
    chunks.push(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, size));
  } catch (cause) {
    throw new InvalidRequest('the body must be UTF-8', { cause });
  }
}

function tooLarge(ctx: Context, limit: number): InvalidRequest {
  ctx.set('Connection', 'close');
  return new InvalidRequest(`the body must not be larger than ${limit} bytes`, { status: 413 });
}

function formOf(body: unknown): Form {
  const form: Record<string, string | string[]> = {};
  if (typeof body !== 'object' || body === null) return form;
  for (const [name, value] of Object.entries<unknown>({ ...body })) {
    if (typeof value === 'string') form[name] = value;
    else if (Array.isArray(value)) form[name] = value.map(String);
  }
  return form;
}

/**
 * One field of a form.
 *
 * @throws InvalidRequest when it is repeated
 */
export function field(form: Form, name: string): string | undefined {
  const value = form[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new InvalidRequest(`${name} must not be sent more than once`);
}
