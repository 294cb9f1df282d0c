import { message } from '../mcp/rpc.ts';
import {
  type Expected,
  insufficientScope,
  invalidToken,
  jsonType,
  rateLimited,
  type Row,
  unavailable,
} from './requests.ts';

function rpc(what: string, body: unknown, expected: Expected, more: Partial<Row> = {}): Omit<Row, 'path'> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { what, method: 'POST', headers: jsonType, body: text, ...expected, ...more };
}

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const call = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'my_courses', arguments: {} } };
const rpcError = (status: number): Expected => ({ status, schema: 'JsonRpcError' });
const newer = (method: string): Pick<Row, 'body' | 'headers'> => {
  const { body, headers } = message('2026-07-28', method, { notifications: { toolsListChanged: true } });
  return { body: JSON.stringify(body), headers };
};

/** Valid and invalid requests. */
const requests: readonly Omit<Row, 'path'>[] = [
  rpc('tools/list', list, { status: 200, schema: 'JsonRpcResponse' }),
  rpc('an unknown method', { ...list, method: 'nope' }, rpcError(200)),
  rpc('an unknown method, at the newer revision', '', rpcError(404), newer('nope')),
  rpc('a subscription, at the newer revision', '', { status: 200 }, newer('subscriptions/listen')),
  rpc('a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, { status: 202 }),
  rpc('a response', { jsonrpc: '2.0', id: 1, result: {} }, { status: 202 }),
  rpc('an error response', { jsonrpc: '2.0', error: { code: 1, message: 'no' } }, { status: 202 }),
  rpc('not a JSON-RPC message', { jsonrpc: '2.0', id: 1 }, rpcError(400)),
  rpc('a batch', [list], rpcError(400)),
  rpc('malformed JSON', '{', rpcError(400)),
  rpc('no content type', list, rpcError(400), { headers: { 'content-type': '' } }),
  rpc('an unknown revision', list, rpcError(400), { headers: { ...jsonType, 'mcp-protocol-version': '1999-01-01' } }),
  rpc('text/plain', list, rpcError(415), { headers: { 'content-type': 'text/plain' } }),
  rpc('application/ld+json', list, rpcError(415), { headers: { 'content-type': 'application/ld+json' } }),
  rpc('a body that is too large', 'x'.repeat(1024 * 1024 + 1), rpcError(413)),
  rpc(
    'an origin that is not allowed',
    list,
    { status: 403, error: 'access_denied' },
    {
      headers: { ...jsonType, origin: 'https://evil.example' },
    },
  ),
  rpc('an unknown token', list, { ...invalidToken, schema: 'Error' }, { token: 'unknown' }),
  rpc('tools/call with an unknown token', call, { ...invalidToken, schema: 'ToolRefusal' }, { token: 'unknown' }),
  rpc(
    'tools/call with insufficient scope',
    call,
    { ...insufficientScope, schema: 'ToolRefusal' },
    { token: 'operator' },
  ),
  rpc('tools/list, no quota left', list, rateLimited, { world: 'no quota left', token: 'limited' }),
  rpc('tools/call, store unavailable', call, unavailable, { token: 'unknown', world: 'store unavailable' }),
];

const withoutToken: readonly Omit<Row, 'path'>[] = [
  rpc('tools/call without a token', call, { ...invalidToken, schema: 'ToolRefusal' }),
];

/** Requests to `/mcp`, with a token only where the row has one, and to the addresses that always need one. */
export const toolRows: readonly Row[] = [
  ...requests,
  ...withoutToken,
  rpc('tools/list without a token, no quota left', list, rateLimited, { world: 'no quota left' }),
].map((row) => ({ path: '/mcp', ...row }));

export const signedInToolRows: readonly Row[] = ['/mcp/operator', '/mcp/member'].flatMap((path) => [
  ...requests.map((row) => ({ token: 'operator' as const, ...row, path })),
  ...withoutToken.map((row) => ({ ...row, path })),
  { ...rpc('tools/list without a token', list, { ...invalidToken, schema: 'Error' }), path },
]);
