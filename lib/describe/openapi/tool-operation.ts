import type { McpDescription, ToolDescription } from '../../contracts/plugin.ts';
import type { ServiceDescription } from '../service-description.ts';
import { type ResponseVariant, errorResponses, commonErrors } from './responses.ts';
import { operation } from './operation.ts';
import { type Example, errorExample, json, reference } from './parts.ts';

const rpcBody = { [json]: reference('JsonRpcError') };

/** A refused call has both formats in one body, for clients that only know sign-in within MCP. */
const refusedCall = { [json]: reference('ToolRefusal') };
const refusedAnything = { [json]: { anyOf: [reference('Error'), reference('ToolRefusal')] } };

function toolResponses(service: ServiceDescription): ResponseVariant[] {
  return [
    {
      status: 200,
      text: 'The response to a request. A tool that fails reports this in its result, with `isError`. The response to `subscriptions/listen` at revision 2026-07-28 is a stream that ends immediately, because tools do not change while the server runs.',
      content: {
        [json]: { anyOf: [reference('JsonRpcResponse'), reference('JsonRpcError')] },
        'text/event-stream': { type: 'string' },
      },
    },
    { status: 202, text: 'A notification or a response was accepted.' },
    {
      status: 400,
      text: 'The body is not JSON, not a message, a batch, or has no content type; or the MCP headers do not match the body.',
      content: rpcBody,
    },
    { status: 404, text: 'Revision 2026-07-28: the method does not exist.', content: rpcBody },
    { status: 413, text: 'The body is too large.', content: rpcBody },
    { status: 415, text: 'The content type of the body is not `application/json`.', content: rpcBody },
    ...errorResponses(service, ['invalid_token'], refusedAnything),
    ...errorResponses(service, ['insufficient_scope'], refusedCall),
    ...errorResponses(service, [...commonErrors, ['access_denied', 403], 'slow_down']),
    { status: 500, text: 'An unexpected failure can also be returned as a JSON-RPC error.', content: rpcBody },
  ];
}

/** Specification: Tool endpoint. */
export function toolOperation(service: ServiceDescription, { tools }: McpDescription): object {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const open = tools.filter(({ access }) => access === 'public');
  const listed = open.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const examples: Example[] = [
    {
      name: 'listTools',
      summary: 'List the public tools',
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
    text: 'Streamable HTTP without sessions, revisions 2026-07-28 and 2025-11-25; one message per request. Without a token, only the public tools are available. The body of a `tools/call` that is refused with 401 or 403 has the members of a JSON-RPC response in addition to those of an OAuth error.',
    security: { scopes: [], optional: true },
    body: { type: json, schema: reference('JsonRpcRequest') },
    responses: toolResponses(service),
    examples,
  });
}

function callExamples(tools: readonly ToolDescription[]): Example[] {
  const open = tools.find((tool) => tool.access === 'public' && !requiresArguments(tool));
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
    content: [{ type: 'text', text: 'an access token is required' }],
    isError: true,
    _meta: { 'mcp/www_authenticate': ['Bearer error="invalid_token"'] },
  };
  return { ...example, response: { ...example.response, jsonrpc: '2.0', id: 2, result } };
}

function call(name: string): object {
  return { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: {} } };
}

function requiresArguments({ inputSchema: { required } }: ToolDescription): boolean {
  return Array.isArray(required) && required.length > 0;
}

/** The extension `x-tools` of the operation. */
export function toolList(tools: readonly ToolDescription[]): object[] {
  return tools.map(({ name, title, description, inputSchema, access }) => ({
    name,
    title,
    description,
    inputSchema,
    ...(access === 'public' ? { public: true } : { scopes: access.scopes, actions: access.actions }),
  }));
}
