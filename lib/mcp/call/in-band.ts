import type { Context } from 'koa';

/**
 * Adds a JSON-RPC result with the challenge to a refused call, for clients that only start sign-in from within MCP (OpenAI
 * Apps SDK). Other clients use the status, `WWW-Authenticate` and `error`.
 */
export function addInBandChallenge(ctx: Context, message: unknown): void {
  const challenge = ctx.response.get('WWW-Authenticate');
  const refusal: unknown = ctx.body;
  if (challenge === '' || typeof refusal !== 'object' || refusal === null) return;
  const id: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'id') : undefined;
  const text: unknown = Reflect.get(refusal, 'error_description');
  const result = {
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { 'mcp/www_authenticate': [challenge] },
  };
  const { status } = ctx;
  const echoed = typeof id === 'string' || typeof id === 'number' ? id : null;
  ctx.body = { ...refusal, jsonrpc: '2.0', id: echoed, result };
  ctx.status = status;
}
