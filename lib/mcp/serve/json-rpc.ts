import type { Context } from 'koa';
import { bodyLimit, readJson } from '../../http/body.ts';
import { isBodyRead } from '../../http/host-body.ts';
import { InvalidRequest } from '../../protocol/errors.ts';
import { membersOf } from '../call/tool-call.ts';

const maxMessageBytes = 1024 * 1024;

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
 * enough to refuse it, or the host has read it.
 */
export function isReadFirst(ctx: Context): boolean {
  const { length } = ctx.request;
  if (isBodyRead(ctx.req) || hasWrongType(ctx)) return true;
  return length !== undefined && (length <= bodyLimit || length > maxMessageBytes);
}

/** RFC 9110 section 8.3. */
function hasWrongType(ctx: Context): boolean {
  const { 'content-type': type = '' } = ctx.req.headers;
  return type !== '' && type !== 'application/json' && ctx.is('application/json') === false;
}

export async function readMessage(ctx: Context): Promise<{ readonly message: unknown } | RpcProblem> {
  if (hasWrongType(ctx)) {
    return new RpcProblem(415, -32_000, `the body must be application/json, not ${ctx.get('Content-Type')}`);
  }
  try {
    const message = await readJson(ctx, maxMessageBytes);
    if (!Array.isArray(message)) return { message };
    return new RpcProblem(400, -32_600, 'send one message, not a batch; revision 2025-06-18 removed batches');
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const { status, message } = error;
    return new RpcProblem(status, status === 400 ? -32_700 : -32_000, message);
  }
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
  const challenge = ctx.response.get('WWW-Authenticate');
  if (challenge === '') return;
  const { status } = ctx;
  const refusal = membersOf(ctx.body);
  const { id } = membersOf(message);
  const result = {
    content: [{ type: 'text', text: refusal['error_description'] }],
    isError: true,
    _meta: { 'mcp/www_authenticate': [challenge] },
  };
  ctx.body = { ...refusal, jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null, result };
  ctx.status = status;
}
