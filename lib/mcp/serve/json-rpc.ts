import type { Context } from 'koa';
import { sentAuthorization } from '../../http/authorization.ts';
import { bodyLimit, parseJson, readJsonBody } from '../../http/body.ts';
import { isBodyRead } from '../../http/body-read-by-host.ts';
import { mediaType } from '../../http/media-type.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { isEmpty, withoutEmpty } from '../../kernel/empty.ts';
import { objectOf, parseObject } from '../../kernel/json.ts';
import { isObject } from '../../kernel/validate.ts';

/** The largest message, and how many members and items it has in all: checking one against a schema takes several microseconds. */
const bounds = {
  anonymous: { bytes: bodyLimit, values: 1000 },
  withToken: { bytes: 1024 * 1024, values: 10_000 },
} as const;

/** Checks and clones are recursive, so a deeply nested message could overflow the stack. */
const maxDepth = 100;

/** What takes about as long as an ordinary call. A larger message counts as several. */
const bytesPerCall = 16 * 1024;
const valuesPerCall = 250;

function boundsOf(ctx: Context): (typeof bounds)[keyof typeof bounds] {
  return sentAuthorization(ctx) === undefined ? bounds.anonymous : bounds.withToken;
}

/** As how many calls a message of this size counts. What is larger than the limit is not read. */
export function callsOf(ctx: Context, size: number | undefined = ctx.request.length): number {
  return Math.max(1, Math.ceil(Math.min(size ?? 0, boundsOf(ctx).bytes) / bytesPerCall));
}

/** What is wrong with a message. JSON-RPC 2.0 section 5.1. */
export class RpcProblem extends Error {
  override readonly name = 'RpcProblem';
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Whether a message is read before its caller is counted: it has at most the size that every endpoint reads, its headers are
 * enough to refuse it, or the host has read it and its size is not known.
 */
export function isReadFirst(ctx: Context): boolean {
  const { length } = ctx.request;
  if (hasWrongType(ctx)) return true;
  return length === undefined ? isBodyRead(ctx.req) : length <= bodyLimit || length > boundsOf(ctx).bytes;
}

/** RFC 9110 section 8.3. */
function hasWrongType({ req: { headers } }: Context): boolean {
  const { type } = mediaType(headers['content-type']);
  return type !== '' && type !== 'application/json';
}

/** A message, and how many calls it is worth. */
export interface RpcMessage {
  readonly message: unknown;
  readonly calls: number;
}

export async function readMessage(ctx: Context): Promise<RpcMessage | RpcProblem> {
  if (hasWrongType(ctx)) {
    return new RpcProblem(415, -32_000, `the body must be application/json, not ${ctx.get('Content-Type')}`);
  }
  const limit = boundsOf(ctx);
  try {
    const body = await readJsonBody(ctx, limit.bytes);
    const sent = parseJson(body);
    if (Array.isArray(sent)) {
      return new RpcProblem(400, -32_600, 'send one message, not a batch; revision 2025-06-18 removed batches');
    }
    const values = valuesIn(sent, limit.values);
    if (values > limit.values) {
      const excess =
        values === Infinity ? `levels of nesting than ${maxDepth}` : `members and items than ${limit.values}`;
      return new RpcProblem(400, -32_600, `the message has more ${excess}`);
    }
    const bytes = ctx.request.length ?? (typeof body === 'string' ? Buffer.byteLength(body) : 0);
    return {
      message: withoutEmptyParams(sent),
      calls: Math.max(callsOf(ctx, bytes), Math.ceil(values / valuesPerCall)),
    };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const { status, message } = error;
    const hint =
      status === 413 && limit === bounds.anonymous ? `; with an access token, ${bounds.withToken.bytes}` : '';
    return new RpcProblem(status, status === 400 ? -32_700 : -32_000, message + hint);
  }
}

/** Those that every request may leave out. Some languages write what is not set as `null`, and an object without members as a list. */
const optionalParams = ['arguments', 'cursor', '_meta'];

function withoutEmptyParams(message: unknown): unknown {
  const { params } = objectOf(message);
  if (!isObject(message) || params === undefined) return message;
  if (isEmpty(params)) return withoutEmpty(message, ['id']);
  if (!isObject(params) || !optionalParams.some((name) => name in params && isEmpty(params[name]))) return message;
  const others = Object.keys(params).filter((name) => !optionalParams.includes(name));
  return { ...message, params: withoutEmpty(params, others) };
}

/** How many members and items a message has, at any depth; or any number above `most`, and `Infinity` if it is nested too deeply. */
function valuesIn(message: unknown, most: number, levels: number = maxDepth): number {
  if (typeof message !== 'object' || message === null) return 0;
  if (levels === 0) return Infinity;
  const values: readonly unknown[] = Object.values(message);
  let count = values.length;
  for (const value of values) {
    if (count > most) break;
    count += valuesIn(value, most - count, levels - 1);
  }
  return count;
}

/** The code of the error that a response is, if it is one. */
export function errorCodeOf(body: unknown): number | undefined {
  if (typeof body !== 'string' || !body.includes('"error":')) return undefined;
  const { code } = objectOf(parseObject(body)['error']);
  return typeof code === 'number' ? code : undefined;
}

export function sendRpcProblem(ctx: Context, { status, code, message }: RpcProblem): void {
  ctx.body = { jsonrpc: '2.0', id: null, error: { code, message } };
  ctx.status = status;
}

/**
 * Adds a JSON-RPC result with the challenge to a refused call, for clients that only start sign-in from within MCP (OpenAI
 * Apps SDK). Other clients use the status, `WWW-Authenticate` and `error`.
 */
export function addInBandChallenge(ctx: Context, message: unknown): void {
  // Koa 3 returns `undefined` for a header that is not set, Koa 2 an empty text.
  const challenge = ctx.response.get('WWW-Authenticate');
  if (!challenge) return;
  const { status } = ctx;
  const refusal = objectOf(ctx.body);
  const { id } = objectOf(message);
  const result = {
    content: [{ type: 'text', text: refusal['error_description'] }],
    isError: true,
    _meta: { 'mcp/www_authenticate': [challenge] },
  };
  ctx.body = { ...refusal, jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null, result };
  ctx.status = status;
}
