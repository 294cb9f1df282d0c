import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { Context } from 'koa';
import { InvalidRequest } from '../kernel/errors.ts';
import { pathText } from '../kernel/validate.ts';
import { illFormedAt, wellFormedDemand } from '../kernel/well-formed.ts';
import { Timeout } from '../kernel/timeout.ts';
import { hostBody, isBodyRead } from './body-read-by-host.ts';
import { mediaType, utf8Text } from './media-type.ts';

/** Form fields as posted; a repeated field is an array. */
export type Form = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The default limits of a body, in bytes and in seconds. */
export const bodyLimit = 64 * 1024;
const bodyTime = 30;

export async function readForm(ctx: Context): Promise<Form> {
  requireType(ctx, 'application/x-www-form-urlencoded');
  const body = await readBody(ctx, bodyLimit, bodyTime);
  const form = typeof body === 'string' ? parse(body, '&', '=', { maxKeys: 500 }) : formOf(body);
  if (typeof body === 'string') requireUtf8Escapes(body);
  // What is sent in UTF-8 has no half of a surrogate pair, also percent-encoded.
  if (typeof body !== 'string' || !body.isWellFormed()) requireWellFormed(form);
  requireShort(form);
  return form;
}

/** Others would be read as U+FFFD, and a secret with them as a wrong one. RFC 6749 appendix B. */
function requireUtf8Escapes(body: string): void {
  if (!/%[89a-f]/i.test(body)) return;
  try {
    // A percent sign that escapes nothing stands for itself.
    for (const [escapes] of body.matchAll(/(?:%[\da-f]{2})+/gi)) decodeURIComponent(escapes);
  } catch (cause) {
    throw new InvalidRequest('a form must be UTF-8 before it is percent-encoded: %C3%A9, not %E9', { cause });
  }
}

/** Characters of a field of a form, before anything reads it: more than ten redirect URIs, or ten keys, take. */
const fieldLimit = 24_000;

function requireShort(form: Form): void {
  for (const [name, value = ''] of Object.entries(form)) {
    if ([value].flat().every(({ length }) => length <= fieldLimit)) continue;
    throw new InvalidRequest(`${shownPath([name])} must have at most ${fieldLimit} characters`);
  }
}

export async function readJson(ctx: Context, limit: number = bodyLimit, seconds?: number): Promise<unknown> {
  return parseJson(await readJsonBody(ctx, limit, seconds));
}

/** The text of a JSON body, or the result of a body parser of the host. */
export async function readJsonBody(ctx: Context, limit: number, seconds: number = bodyTime): Promise<unknown> {
  requireType(ctx, 'application/json');
  return readBody(ctx, limit, seconds);
}

/** An escape in JSON of either half of a surrogate pair. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

export function parseJson(body: unknown): unknown {
  const value = typeof body === 'string' ? jsonIn(body) : body;
  // Few texts have such an escape.
  if (typeof body !== 'string' || surrogateEscape.test(body) || !body.isWellFormed()) requireWellFormed(value);
  return value;
}

function jsonIn(body: string): unknown {
  if (body === '') throw new InvalidRequest('the body must be application/json, not empty');
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new InvalidRequest('the body must be JSON', { cause });
  }
}

/** For every form and JSON body, which a parser of the host may have read. @throws InvalidRequest for text that no store takes */
export function requireWellFormed(body: unknown): void {
  const at = illFormedAt(body);
  if (at) throw new InvalidRequest(`${shownPath(at)} must ${wellFormedDemand}`);
}

const maxShownPath = 100;

function shownPath(path: readonly PropertyKey[]): string {
  const text = pathText(path);
  return text === '' || text.length > maxShownPath ? 'the body' : text;
}

async function readBody(ctx: Context, limit: number, seconds: number): Promise<unknown> {
  if ((ctx.request.length ?? 0) > limit) throw tooLarge(ctx, limit);
  if (isBodyRead(ctx.req)) return readHostBody(ctx, limit);
  const encoding = ctx.req.headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new InvalidRequest(`the body must not be compressed; send it without Content-Encoding: ${encoding}`);
  }
  const bytes = await collect(ctx.req, limit, seconds);
  if (bytes === 'too large') throw tooLarge(ctx, limit);
  if (bytes === 'too slow') throw refusedBody(ctx, 408, `the body must arrive within ${seconds} seconds`);
  if (bytes === 'incomplete') throw new InvalidRequest('the body ends before it is complete');
  return textOf(ctx, bytes);
}

function readHostBody(ctx: Context, limit: number): unknown {
  const body = hostBody(ctx);
  const isText = typeof body === 'string';
  if (!isText && !Buffer.isBuffer(body)) return body;
  if (Buffer.byteLength(body) > limit) throw tooLarge(ctx, limit);
  return isText ? body : textOf(ctx, body);
}

function textOf({ req }: Context, bytes: Buffer): string {
  const { charset = 'utf-8' } = mediaType(req.headers['content-type']);
  const text = utf8Text(bytes, charset);
  if (text !== undefined) return text;
  const sent = charset === 'utf-8' ? '' : `, not ${charset.slice(0, longestCharset)}; send charset=utf-8 or none`;
  throw new InvalidRequest(`the body must be UTF-8${sent}`);
}

/** Characters of one that a refusal shows. */
const longestCharset = 40;

function tooLarge(ctx: Context, limit: number): InvalidRequest {
  return refusedBody(ctx, 413, `the body must not be larger than ${limit} bytes`);
}

/** Closes the connection: the rest of the body must not be parsed as the next request. */
function refusedBody(ctx: Context, status: number, message: string): InvalidRequest {
  ctx.set('Connection', 'close');
  return new InvalidRequest(message, { status });
}

function formOf(body: unknown): Form {
  const fields = typeof body === 'object' && body !== null ? Object.entries<unknown>({ ...body }) : [];
  return Object.fromEntries(fields.flatMap(([name, value]) => fieldOf(name, value)));
}

function fieldOf(name: string, value: unknown): [string, string | string[]][] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  const values = Object.values<unknown>({ ...value }).map((item) => (typeof item === 'string' ? item : ''));
  // Parsers read `a[]=1` and `a[b]=1` as the field `a`. It is refused like one that is repeated.
  return [[name, values.length > 1 ? values : ['', '']]];
}

export function field(form: Form, name: string): string | undefined {
  const value = form[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new InvalidRequest(`${name} must not be sent more than once`);
}

function requireType(ctx: Context, type: string): void {
  // Not `ctx.is`, which takes a body of HTTP/2 without a length for none.
  const isSent = mediaType(ctx.req.headers['content-type']).type === type && ctx.request.length !== 0;
  if (isSent) return;
  const sent = ctx.request.length === 0 ? 'empty' : ctx.get('Content-Type') || 'of no content type';
  throw new InvalidRequest(`the body must be ${type}, not ${sent}`);
}

/** More chunks than this are joined: each takes a hundred bytes and more, however little is in it. */
const maxChunks = 1024;

type Unread = 'too large' | 'too slow' | 'incomplete';

/** The body of a message: at most `limit` bytes, and within `seconds` where they are given. */
export async function collect(message: IncomingMessage, limit: number, seconds?: number): Promise<Buffer | Unread> {
  return arrived(message, limit) ?? arriving(message, limit, seconds);
}

/** A small body has arrived with the headers, and needs no timer and no events. */
function arrived(message: IncomingMessage, limit: number): Buffer | undefined {
  const { httpVersionMajor, complete, headers, readableLength, readableEncoding } = message;
  // Aborted requests of HTTP/2 are `complete` as well.
  if (httpVersionMajor !== 1 || readableEncoding !== null) return undefined;
  if (readableLength === 0 || readableLength > limit) return undefined;
  // Node sees that a message is complete one step after the last of its body.
  if (!complete && Number(headers['content-length']) !== readableLength) return undefined;
  // Without a size, newer releases of Node return the first packet alone.
  const body: unknown = message.read(readableLength);
  if (!Buffer.isBuffer(body)) return undefined;
  // Otherwise its end would wait for somebody to read on.
  message.resume();
  return body;
}

function arriving(message: IncomingMessage, limit: number, seconds?: number): Promise<Buffer | Unread> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const end = (result: Buffer | Unread): void => {
      timeout?.clear();
      message.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak).pause();
      resolve(result);
    };
    const timeout = seconds === undefined ? undefined : new Timeout(seconds * 1000, () => end('too slow'));
    const onData = (chunk: Buffer | string): void => {
      // Text, if the host has called `setEncoding`.
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, message.readableEncoding ?? 'utf8') : chunk;
      size += bytes.length;
      chunks.push(bytes);
      if (chunks.length === maxChunks) chunks = [Buffer.concat(chunks, size)];
      if (size > limit) end('too large');
    };
    const onEnd = (): void => end(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    const onBreak = (): void => end('incomplete');
    if (message.destroyed) onBreak();
    else message.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak);
  });
}
