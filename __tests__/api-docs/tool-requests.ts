import { message } from '../mcp/rpc.ts';
import { away, type Expected, jsonType, lacking, noToken, type Row, spent } from './requests.ts';

function rpc(what: string, body: unknown, expected: Expected, more: Partial<Row> = {}): Row {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { what, method: 'POST', path: '/mcp', headers: jsonType, body: text, ...expected, ...more };
}

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const call = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'my_courses', arguments: {} } };
const rpcError = (status: number): Expected => ({ status, schema: 'JsonRpcError' });
const newer = (method: string): Pick<Row, 'body' | 'headers'> => {
  const { body, headers } = message('2026-07-28', method, { notifications: { toolsListChanged: true } });
  return { body: JSON.stringify(body), headers };
};

/** Good and bad requests to the tool endpoint. */
export const toolRows: readonly Row[] = [
  rpc('a list', list, { status: 200, schema: 'JsonRpcAnswer' }),
  rpc('an unknown method', { ...list, method: 'nope' }, rpcError(200)),
  rpc('an unknown method, at the newer revision', '', rpcError(404), newer('nope')),
  rpc('a subscription, at the newer revision', '', { status: 200 }, newer('subscriptions/listen')),
  rpc('a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, { status: 202 }),
  rpc('a response', { jsonrpc: '2.0', id: 1, result: {} }, { status: 202 }),
  rpc('a response that is an error', { jsonrpc: '2.0', error: { code: 1, message: 'no' } }, { status: 202 }),
  rpc('no message', { jsonrpc: '2.0', id: 1 }, rpcError(400)),
  rpc('a batch', [list], rpcError(400)),
  rpc('malformed JSON', '{', rpcError(400)),
  rpc('no content type', list, rpcError(400), { headers: { 'content-type': '' } }),
  rpc('an unknown revision', list, rpcError(400), { headers: { ...jsonType, 'mcp-protocol-version': '1999-01-01' } }),
  rpc('text', list, rpcError(415), { headers: { 'content-type': 'text/plain' } }),
  rpc('another JSON', list, rpcError(415), { headers: { 'content-type': 'application/ld+json' } }),
  rpc('a body that is too large', 'x'.repeat(1024 * 1024 + 1), rpcError(413)),
  rpc(
    'a foreign origin',
    list,
    { status: 403, error: 'access_denied' },
    {
      headers: { ...jsonType, origin: 'https://evil.example' },
    },
  ),
  rpc('an unknown token', list, { ...noToken, schema: 'Error' }, { token: 'nobody' }),
  rpc('a call without a token', call, { ...noToken, schema: 'ToolRefusal' }),
  rpc('a call with an unknown token', call, { ...noToken, schema: 'ToolRefusal' }, { token: 'nobody' }),
  rpc('a call that lacks a scope', call, { ...lacking, schema: 'ToolRefusal' }, { token: 'operator' }),
  rpc('a list, over the limit', list, spent, { world: 'whose limits are spent' }),
  rpc('a call, and a store that is away', call, away, { token: 'nobody', world: 'whose store is away' }),
];
