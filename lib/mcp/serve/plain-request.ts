import type { Context } from 'koa';
import { objectOf } from '../../kernel/json.ts';
import { isObject } from '../../kernel/validate.ts';

/** A request that any server would answer with the result and nothing else. */
export interface PlainRequest {
  readonly id: string | number;
  readonly method: string;
}

/** The revisions whose responses are the bare result. */
const revisions: ReadonlySet<unknown> = new Set(['2025-06-18', '2025-11-25']);

/** What the parameters of such a request may have. */
const parameters: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['tools/list', new Set()],
  ['tools/call', new Set(['name', 'arguments'])],
]);

const members: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/**
 * `tools/list` or `tools/call` with nothing unusual about it, so that it does not need a server of the SDK; `undefined` for every
 * other message. The checks are stricter than the SDK's: what they do not know is for the SDK.
 */
export function plainRequest(ctx: Context, message: unknown): PlainRequest | undefined {
  const { jsonrpc, id, method, params } = objectOf(message);
  const allowed = parameters.get(method);
  if (!allowed || typeof method !== 'string' || jsonrpc !== '2.0' || !hasPlainHeaders(ctx)) return undefined;
  if (typeof id !== 'string' && !(typeof id === 'number' && Number.isSafeInteger(id))) return undefined;
  if (!isObjectOf(members, message) || !(params === undefined || isObjectOf(allowed, params))) return undefined;
  const { arguments: args = {} } = objectOf(params);
  return isObject(args) ? { id, method } : undefined;
}

/** Whether the revision is the only header of MCP. */
function hasPlainHeaders({ req: { headers } }: Context): boolean {
  if (!revisions.has(headers['mcp-protocol-version'])) return false;
  for (const name in headers) if (name.startsWith('mcp-') && name !== 'mcp-protocol-version') return false;
  return true;
}

function isObjectOf(names: ReadonlySet<string>, value: unknown): boolean {
  return isObject(value) && Object.keys(value).every((name) => names.has(name));
}

/** Sends a result, given as JSON. JSON-RPC 2.0 section 5. */
export function sendPlainResult(ctx: Context, { id }: PlainRequest, result: string): void {
  ctx.set('Content-Type', 'application/json');
  ctx.body = `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
