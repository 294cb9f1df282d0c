import type { Context } from 'koa';
import { readJson } from '../../http/body.ts';
import { InvalidRequest } from '../../protocol/errors.ts';
import { membersOf } from '../call/tool-call.ts';

const maxMessageBytes = 1024 * 1024;

interface RpcProblem {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

export async function readMessage(
  ctx: Context,
): Promise<{ readonly message: unknown } | { readonly problem: RpcProblem }> {
  const type = ctx.get('Content-Type');
  if (type !== '' && ctx.is('application/json') === false) {
    return { problem: { status: 415, code: -32_000, message: `the body must be application/json, not ${type}` } };
  }
  try {
    const message = await readJson(ctx, maxMessageBytes);
    if (!Array.isArray(message)) return { message };
    const refusal = 'send one message, not a batch; revision 2025-06-18 removed batches';
    return { problem: { status: 400, code: -32_600, message: refusal } };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const { status, message } = error;
    return { problem: { status, code: status === 400 ? -32_700 : -32_000, message } };
  }
}

/** JSON-RPC 2.0 section 5.1. */
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
