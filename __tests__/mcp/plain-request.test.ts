import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Tool } from '../../lib/mcp/index.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { memberApp } from '../helpers/flow.ts';
import { accessToken, message, type Params } from './rpc.ts';
import { accessTools } from './tools.ts';

const results = {
  text: 'héllo 👋 \u2028',
  several: {
    content: [
      { type: 'text', text: 'a', annotations: { priority: 1 } },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
    ],
  },
  link: {
    content: [{ type: 'resource_link', uri: 'https://harbour.example', name: 'x', _meta: { a: 1 }, other: true }],
  },
  structured: { structuredContent: { at: new Date(0), nothing: undefined, list: [1, { a: null }] } },
  error: { content: [], isError: true },
  invalid: { content: [{ type: 'nonsense' }] },
} as const;

const various: Tool<{ which: keyof typeof results }> = {
  name: 'various',
  description: 'Returns one of several results.',
  access: 'public',
  inputSchema: { type: 'object', properties: { which: { enum: Object.keys(results) } } },
  // A host in JavaScript can return anything.
  run: ({ which }) => Object(results)[which],
};

let schools: Schools;
let token: string;
beforeAll(async () => {
  schools = await startSchools({ mcp: { tools: [various, ...accessTools] } });
  token = await accessToken(schools, 'sam', memberApp);
});
afterAll(() => schools.close());

/** A response; with a session, which there is none of, the SDK gives it. */
async function responseTo(body: unknown, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${schools.harbour}/mcp`, init);
  const sent = [...response.headers].filter(([name]) => name !== 'date');
  return { status: response.status, headers: sent, body: await response.text() };
}

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const call = {
  jsonrpc: '2.0',
  id: 'x',
  method: 'tools/call',
  params: { name: 'various', arguments: { which: 'text' } },
};
const messages: [string, unknown][] = [
  ['a list', list],
  ['a list with empty parameters', { ...list, params: {} }],
  ['a list with a cursor', { ...list, params: { cursor: 'x' } }],
  ['a list with a progress token', { ...list, params: { _meta: { progressToken: 1 } } }],
  ['a list whose parameters are an array', { ...list, params: [] }],
  ['a list whose parameters are null', { ...list, params: null }],
  ['a list with one more member', { ...list, other: 1 }],
  ['a list at another version', { ...list, jsonrpc: '1.0' }],
  ['a call with an odd id', { ...call, id: '"\\\u2028\ud83d\udc4b' }],
  ['a call of a tool that is not there', { ...call, params: { name: 'nonsense', arguments: {} } }],
  ['a call without a name', { ...call, params: { arguments: {} } }],
  ['a call without arguments', { ...call, params: { name: 'open' } }],
  ['a call whose arguments are null', { ...call, params: { name: 'open', arguments: null } }],
  ['a call whose arguments are an array', { ...call, params: { name: 'open', arguments: [] } }],
  ['a call with wrong arguments', { ...call, params: { name: 'various', arguments: { which: 1 } } }],
  ['a call of a guarded tool', { ...call, params: { name: 'inbox', arguments: {} } }],
  ['a call that lacks a scope', { ...call, params: { name: 'report', arguments: {} } }],
  ['a call with a task', { ...call, params: { ...call.params, task: { ttl: 1 } } }],
  ...[null, 1.5, -1, 2 ** 53, true, {}, undefined].map((id): [string, unknown] => [
    `the id ${JSON.stringify(id)}`,
    { ...list, id },
  ]),
  ...Object.keys(results).map((which): [string, unknown] => [
    `a call that returns ${which}`,
    { ...call, params: { name: 'various', arguments: { which } } },
  ]),
];

test.each(messages)('%s: the response is that of the SDK', async (_what, body) => {
  for (const authorization of [{}, { authorization: `Bearer ${token}` }]) {
    for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26', 'nonsense']) {
      const headers = { ...message('2025-11-25', '').headers, 'mcp-protocol-version': revision, ...authorization };
      const plain = await responseTo(body, headers);
      expect(plain).toEqual(await responseTo(body, { ...headers, 'mcp-session-id': 'none' }));
    }
  }
});

test('a message with the headers of revision 2026-07-28 is not plain', async () => {
  const both = (sent: Params, headers: Readonly<Record<string, string>>) =>
    responseTo(sent, { ...message('2025-11-25', '').headers, ...headers });
  const mismatch = await both(list, { 'mcp-method': 'tools/call' });
  expect(mismatch).toEqual(await both(list, { 'mcp-method': 'tools/call', 'mcp-session-id': 'none' }));
});
