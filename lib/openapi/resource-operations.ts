import type { Site } from '../contracts/member.ts';
import type { ServiceFacts, ToolFacts } from '../service-facts.ts';
import { errorExample, type Example, operation } from './parts.ts';

const json = 'application/json';
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const refused = ['invalid_token', 'insufficient_scope', 'server_error', 'temporarily_unavailable'] as const;

/** UserInfo, by either method. OpenID Connect Core section 5.3. */
export function userinfoOperation({ id: org_id }: Site, method: 'get' | 'post'): object {
  const example = { sub: 'member-1', org_id, roles: ['student'], name: 'Sam Rivera', email: 'sam@example.com' };
  return operation({
    id: method === 'get' ? 'getUserinfo' : 'postUserinfo',
    tag: 'OAuth',
    summary: 'Who the token stands for',
    security: { scopes: ['openid'] },
    success: [{ status: 200, text: 'The claims.', content: { type: json, schema: reference('UserInfo') } }],
    errors: refused,
    examples: [{ name: 'claims', summary: 'A student', status: 200, response: example }],
  });
}

/** The Member API. Specification: Member API. */
export function memberOperation(): object {
  const viewer = { query: '{ viewer { id name } }' };
  const examples: Example[] = [
    {
      name: 'viewer',
      summary: 'Who it is',
      request: viewer,
      status: 200,
      response: { data: { viewer: { id: 'member-1', name: 'Sam Rivera' } } },
    },
  ];
  return operation({
    id: 'memberApi',
    tag: 'Member API',
    summary: 'Ask for the signed-in member’s own data',
    text: 'GraphQL. Fields that need a scope need it before anything is executed: a token that lacks one gets 403, and nothing has happened.',
    security: { scopes: [] },
    body: { type: json, schema: reference('GraphqlRequest') },
    success: [{ status: 200, text: 'The result.', content: { type: json, schema: reference('GraphqlAnswer') } }],
    errors: ['invalid_request', ...refused],
    examples,
  });
}

/** The tool endpoint. Specification: Tool endpoint. */
export function toolOperation({ tools }: ServiceFacts): object {
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
    text: 'Streamable HTTP without a session, revisions 2026-07-28 and 2025-11-25; one message a request, answers are JSON. Without a token there are the public tools only.',
    security: { scopes: [], optional: true },
    body: { type: json, schema: reference('JsonRpcRequest') },
    success: [
      {
        status: 200,
        text: 'The answer to a request; a tool that fails says so in its result, with `isError`.',
        content: { type: json, schema: { anyOf: [reference('JsonRpcAnswer'), reference('JsonRpcError')] } },
      },
      { status: 202, text: 'A notification was taken.' },
    ],
    errors: [
      'invalid_token',
      'insufficient_scope',
      'access_denied',
      'slow_down',
      'server_error',
      'temporarily_unavailable',
    ],
    rpcErrors: {
      400: 'The body is no JSON, no message, or a batch; or headers of MCP and body disagree.',
      404: 'Revision 2026-07-28: there is no such method.',
      413: 'The body is too large.',
      415: 'The body is not `application/json`.',
    },
    examples,
  });
}

function callExamples(tools: readonly ToolFacts[]): Example[] {
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
    ...(closed
      ? [errorExample('callWithoutToken', 'invalid_token', `Call ${closed.name} without a token`, call(closed.name))]
      : []),
  ];
}

function call(name: string): object {
  return { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: {} } };
}

function wantsArguments({ inputSchema: { required } }: ToolFacts): boolean {
  return Array.isArray(required) && required.length > 0;
}

/** What clients can know of the tools beforehand, as an extension of the operation. */
export function toolList(tools: readonly ToolFacts[]): object[] {
  return tools.map(({ name, title, description, inputSchema, access }) => ({
    name,
    title,
    description,
    inputSchema,
    ...(access === 'public' ? { public: true } : { scopes: access.scopes, actions: access.actions }),
  }));
}
