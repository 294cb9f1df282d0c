import type { Site } from '../../host/school-platform.ts';
import type {
  McpDescription,
  McpEndpoint,
  MemberApiDescription,
  ToolDescription,
} from '../../plugin-contract/plugin.ts';
import type { ServiceDescription } from '../service-description.ts';
import type { ErrorReference, Operation, ResponseVariant } from '../operation.ts';
import { errorResponses } from './errors.ts';
import { errorExample, type Example, json, jsonBody, limitedBody, pathSuffix, reference } from '../schema-parts.ts';

const graphqlJson = 'application/graphql-response+json';

const tokenErrors: readonly ErrorReference[] = ['invalid_token', 'insufficient_scope', 'slow_down'];

/** OpenID Connect Core section 5.3. */
export function userinfoOperation({ id: org_id }: Site, id: string): Operation {
  const example = { sub: 'member-1', org_id, roles: ['student'], name: 'Sam Rivera', email: 'sam@example.com' };
  return {
    tag: 'OAuth',
    id,
    summary: 'Get claims about the signed-in person',
    text: 'The claims that the scopes of the token allow. OpenID Connect Core 1.0 section 5.3.',
    security: { scopes: ['openid'] },
    responses: [{ status: 200, text: 'The claims.', content: jsonBody('UserInfo') }],
    errors: tokenErrors,
    examples: [{ name: 'claims', summary: 'A student', status: 200, response: example }],
  };
}

const graphqlRefusal = jsonBody('GraphqlRefusal');

/** Requests that the Member API refuses with a GraphQL error. GraphQL over HTTP: Status Codes. */
const graphqlRefusals: readonly ResponseVariant[] = [
  {
    status: 400,
    text: 'The body is malformed, the operation exceeds a limit, or `first` is outside 1 to 100. With `Accept: application/graphql-response+json`, also an operation that GraphQL validation rejects; the response then has that type.',
    content: { ...graphqlRefusal, [graphqlJson]: reference('GraphqlRefusal') },
  },
  { status: 406, text: `\`Accept\` allows neither \`${json}\` nor \`${graphqlJson}\`.`, content: graphqlRefusal },
  { status: 413, text: 'The body is too large.', content: graphqlRefusal },
  { status: 415, text: `The body is not \`${json}\`.`, content: graphqlRefusal },
];

/** Specification: Member API. */
export function memberOperation(api: MemberApiDescription): Operation {
  const request = { query: '{ viewer { id name } }' };
  const response = { data: { viewer: { id: 'member-1', name: 'Sam Rivera' } } };
  return {
    tag: 'Member API',
    id: 'memberApi',
    summary: 'Query the signed-in member’s own data',
    text: `GraphQL. ${api.fields.length > 0 ? scoped : bare}`,
    security: { scopes: [] },
    body: limitedBody(reference('GraphqlRequest')),
    responses: [
      {
        status: 200,
        text: 'The result. With `application/json`, an operation that GraphQL validation rejects also has status 200, with `errors` and no `data`.',
        content: { [json]: reference('GraphqlResponse'), [graphqlJson]: reference('GraphqlResponse') },
      },
      ...graphqlRefusals,
    ],
    errors: tokenErrors,
    examples: [{ name: 'viewer', summary: 'The viewer', request, status: 200, response }],
  };
}

const scoped =
  'Scopes are checked before execution: if the token lacks a scope of any field, the response is 403 and nothing is executed.';
const bare = 'This platform serves only `id`, `name` and `email` of the viewer.';

export const graphiqlOperation: Operation = {
  tag: 'Member API',
  id: 'graphiql',
  summary: 'A page for trying the Member API',
  text: 'GraphiQL, for a browser. Its requests need a token, like all other requests.',
  responses: [
    { status: 200, text: 'The page.', content: { 'text/html': { type: 'string' } }, header: 'ETag' },
    { status: 304, text: 'Not modified: `If-None-Match` contains the current entity tag.', header: 'ETag' },
    { status: 406, text: '`invalid_request`: `Accept` does not prefer `text/html`.', content: jsonBody('Error') },
  ],
};

const rpcBody = jsonBody('JsonRpcError');

/** A refused call has both formats in one body, for clients that only know sign-in within MCP. */
const refusedCall = jsonBody('ToolRefusal');
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
      text: 'The body is not JSON, not a message, a batch, nested too deeply or of too many members, or has no content type; or the MCP headers do not match the body.',
      content: rpcBody,
    },
    { status: 404, text: 'Revision 2026-07-28: the method does not exist.', content: rpcBody },
    { status: 413, text: 'The body is too large.', content: rpcBody },
    { status: 415, text: 'The content type of the body is not `application/json`.', content: rpcBody },
    ...errorResponses(service, ['invalid_token'], refusedAnything),
    ...errorResponses(service, ['insufficient_scope'], refusedCall),
    { status: 500, text: 'An unexpected failure can also be returned as a JSON-RPC error.', content: rpcBody },
  ];
}

/** Specification: Tool endpoint. */
export function toolOperation(
  service: ServiceDescription,
  { tools }: McpDescription,
  { path, anonymous }: McpEndpoint,
): Operation {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const open = tools.filter(({ access }) => access === 'public');
  const listed = open.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const response = { jsonrpc: '2.0', id: 1, result: { tools: listed } };
  return {
    tag: 'Tools',
    id: anonymous ? 'tools' : `tools${pathSuffix(path)}`,
    summary: 'Call tools over the Model Context Protocol',
    text: `Streamable HTTP without sessions, revisions 2026-07-28 and 2025-11-25. One message per request. ${anonymous ? openTools : closedTools} If a \`tools/call\` is refused with 401 or 403, the body is both an OAuth error and a JSON-RPC response.`,
    security: { scopes: [], optional: anonymous },
    body: { type: json, schema: reference('JsonRpcRequest') },
    responses: toolResponses(service),
    errors: ['slow_down'],
    examples: [
      { name: 'listTools', summary: 'List the public tools', request, status: 200, response },
      ...(anonymous ? callExamples(tools) : []),
    ],
    extensions: { 'x-tools': tools.map(toolListed) },
  };
}

function toolListed({ name, title, description, inputSchema, access }: ToolDescription): object {
  const rights = access === 'public' ? { public: true } : { scopes: access.scopes, actions: access.actions };
  return { name, title, description, inputSchema, ...rights };
}

const openTools = 'Without a token, only the public tools are available.';
const closedTools = 'Every request needs a token. The challenge of a refused request lists the scopes of all tools.';

function callExamples(tools: readonly ToolDescription[]): Example[] {
  const open = tools.find(({ access, inputSchema: { required } }) => {
    const requiresArguments = Array.isArray(required) && required.length > 0;
    return access === 'public' && !requiresArguments;
  });
  const closed = tools.find(({ access }) => access !== 'public');
  const response = { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: '{}' }] } };
  return [
    ...(open
      ? [{ name: 'callTool', summary: `Call ${open.name}`, request: call(open.name), status: 200, response }]
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
