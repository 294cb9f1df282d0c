import type { McpDescription, ToolDescription } from '../../contracts/plugin.ts';
import type { ServiceDescription } from '../service-description.ts';
import { type ResponseVariant, errorResponses, everywhere } from './responses.ts';
import { operation } from './operation.ts';
import { type Example, errorExample, json, reference } from './parts.ts';

const rpcBody = { [json]: reference('JsonRpcError') };

/** A call is refused in both forms at once, for clients that know sign-in only inside of MCP. */
const refusedCall = { [json]: reference('ToolRefusal') };
const refusedAnything = { [json]: { anyOf: [reference('Error'), reference('ToolRefusal')] } };

function answersOf(facts: ServiceDescription): ResponseVariant[] {
  return [
    {
      status: 200,
      text: 'The answer to a request; a tool that fails says so in its result, with `isError`. To `subscriptions/listen` at revision 2026-07-28 it is a stream, which ends at once: tools do not change while the server runs.',
      content: {
        [json]: { anyOf: [reference('JsonRpcAnswer'), reference('JsonRpcError')] },
        'text/event-stream': { type: 'string' },
      },
    },
    { status: 202, text: 'A notification or a response was taken.' },
    {
      status: 400,
      text: 'The body is no JSON, no message, or a batch, or it came without a content type; or headers of MCP and body disagree.',
      content: rpcBody,
    },
    { status: 404, text: 'Revision 2026-07-28: there is no such method.', content: rpcBody },
    { status: 413, text: 'The body is too large.', content: rpcBody },
    { status: 415, text: 'The body is of another content type than `application/json`.', content: rpcBody },
    ...errorResponses(facts, ['invalid_token'], refusedAnything),
    ...errorResponses(facts, ['insufficient_scope'], refusedCall),
    ...errorResponses(facts, [...everywhere, ['access_denied', 403], 'slow_down']),
    { status: 500, text: 'The same in the form of JSON-RPC.', content: rpcBody },
  ];
}

/** The tool endpoint. Specification: Tool endpoint. */
export function toolOperation(facts: ServiceDescription, { tools }: McpDescription): object {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const open = tools.filter(({ access }) => access === 'public');
  const listed = open.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const examples: Example[] = [
    {
      name: 'listTools',
      summary: 'The tools that anybody may call',
      request: list,
      status: 200,
      response: { jsonrpc: '2.0', id: 1, result: { tools: listed } },
    },
    ...callExamples(tools),
  ];
  return operation({
    id: 'tools',
    tag: 'Tools',
    summary: 'Call tools over the Model Context Protocol',
    text: 'Streamable HTTP without a session, revisions 2026-07-28 and 2025-11-25; one message a request. Without a token there are the public tools only. A `tools/call` that is refused with 401 or 403 has the members of JSON-RPC besides those of OAuth.',
    security: { scopes: [], optional: true },
    body: { type: json, schema: reference('JsonRpcRequest') },
    answers: answersOf(facts),
    examples,
  });
}

function callExamples(tools: readonly ToolDescription[]): Example[] {
  const open = tools.find((tool) => tool.access === 'public' && !wantsArguments(tool));
  const closed = tools.find(({ access }) => access !== 'public');
  const result = { content: [{ type: 'text', text: '{}' }] };
  return [
    ...(open
      ? [
          {
            name: 'callTool',
            summary: `Call ${open.name}`,
            request: call(open.name),
            status: 200,
            response: { jsonrpc: '2.0', id: 2, result },
          },
        ]
      : []),
    ...(closed ? [refusal(closed.name)] : []),
  ];
}

function refusal(name: string): Example {
  const example = errorExample('callWithoutToken', 'invalid_token', `Call ${name} without a token`, call(name));
  const result = {
    content: [{ type: 'text', text: 'an access token is needed' }],
    isError: true,
    _meta: { 'mcp/www_authenticate': ['Bearer error="invalid_token"'] },
  };
  return { ...example, response: { ...example.response, jsonrpc: '2.0', id: 2, result } };
}

function call(name: string): object {
  return { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: {} } };
}

function wantsArguments({ inputSchema: { required } }: ToolDescription): boolean {
  return Array.isArray(required) && required.length > 0;
}

/** What clients can know of the tools beforehand, as an extension of the operation. */
export function toolList(tools: readonly ToolDescription[]): object[] {
  return tools.map(({ name, title, description, inputSchema, access }) => ({
    name,
    title,
    description,
    inputSchema,
    ...(access === 'public' ? { public: true } : { scopes: access.scopes, actions: access.actions }),
  }));
}
