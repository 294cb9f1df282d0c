import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import type { Context } from 'koa';
import { InvalidRequest } from '../protocol/errors.ts';
import { collect } from './collect.ts';

/** Form fields as posted; a repeated one is an array. */
export type Form = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The most that a form or JSON body may have where nothing else is said, in bytes. */
export const bodyLimit: number = 64 * 1024;

/** Seconds that a body may take to arrive. */
const bodyTime = 30;

/**
 * The fields of an `application/x-www-form-urlencoded` body, read from the stream or, when a body parser of the host
 * stood in front, from what that one left.
 *
 * @throws InvalidRequest for another content type, encoding or charset, a malformed body, or one that is too large
 */
export async function readForm(ctx: Context): Promise<Form> {
  const type = 'application/x-www-form-urlencoded';
  if (!ctx.is(type)) {
    throw new InvalidRequest(`the body must be ${type}, not ${sentType(ctx)}`);
  }
  const body = await readBody(ctx, bodyLimit, bodyTime);
  return typeof body === 'string' ? parse(body, '&', '=', { maxKeys: 200 }) : formOf(body);
}

/**
 * The value of an `application/json` body.
 *
 * @param limit - the most that it may have, in bytes
 * @param seconds - how long it may take to arrive
 * @throws InvalidRequest for another content type, encoding or charset, malformed JSON, or a body that is too large or
 * too slow
 */
export async function readJson(ctx: Context, limit: number = bodyLimit, seconds: number = bodyTime): Promise<unknown> {
  const type = 'application/json';
  if (!ctx.is(type)) {
    throw new InvalidRequest(`the body must be ${type}, not ${sentType(ctx)}`);
  }
  const body = await readBody(ctx, limit, seconds);
  if (typeof body !== 'string') return body;
  if (body === '') throw new InvalidRequest(`the body must be ${type}, not empty`);
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new InvalidRequest('the body must be JSON', { cause });
  }
}

/** The body as text, or as a body parser of the host has parsed it. */
async function readBody(ctx: Context, limit: number, seconds: number): Promise<unknown> {
  if ((ctx.request.length ?? 0) > limit) throw tooLarge(ctx, limit);
  if (ctx.req.readableDidRead) return ('body' in ctx.request ? ctx.request.body : undefined) ?? '';
  const encoding = ctx.get('Content-Encoding');
  if (encoding && encoding !== 'identity') {
    throw new InvalidRequest(`the body must not be compressed; it came with Content-Encoding: ${encoding}`);
  }
  // Parsing the type takes longer than all else here, and it seldom has a parameter.
  const charset = ctx.get('Content-Type').includes(';') ? ctx.request.charset.toLowerCase() : '';
  if (charset !== '' && charset !== 'utf-8') {
    throw new InvalidRequest(`the body must be UTF-8; it came with charset=${charset}`);
  }
  const bytes = await collect(ctx.req, limit, seconds);
  if (bytes === 'too large') throw tooLarge(ctx, limit);
  if (bytes === 'too slow') throw refusedBody(ctx, 408, `the body must arrive within ${seconds} seconds`);
  if (bytes === 'incomplete') throw new InvalidRequest('the body ends before it is complete');
  if (!isUtf8(bytes)) throw new InvalidRequest('the body must be UTF-8');
  // A byte order mark is not part of the text.
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function tooLarge(ctx: Context, limit: number): InvalidRequest {
  return refusedBody(ctx, 413, `the body must not be larger than ${limit} bytes`);
}

/** Who sends on must not be taken for the next request. */
function refusedBody(ctx: Context, status: number, message: string): InvalidRequest {
  ctx.set('Connection', 'close');
  return new InvalidRequest(message, { status });
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

/** What was sent, in the words of an error. */
function sentType(ctx: Context): string {
  if (ctx.request.length === 0) return 'empty';
  return ctx.get('Content-Type') || 'of no content type';
}
