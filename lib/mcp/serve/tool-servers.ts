import { McpServer, ProtocolError, ProtocolErrorCode, type Tool as ListedTool } from '@modelcontextprotocol/server';
import type { ClientAudience } from '../../contracts/client.ts';
import { paths } from '../../protocol/paths.ts';
import type { ScopeCatalogue } from '../../protocol/scopes.ts';
import { version } from '../../runtime/version.ts';
import { runTool, type ToolReports } from '../call/run-tool.ts';
import type { McpEndpoint } from '../../contracts/plugin.ts';
import { isReachable } from '../declare/endpoints.ts';
import type { CheckedTool, ToolTable } from '../declare/tool-table.ts';
import type { PlainRequest } from './plain-request.ts';
import type { Exchange } from './route.ts';
import { type Serve, serveOnce } from './serve.ts';

interface ToolServices extends ToolReports {
  readonly tools: ToolTable;
  readonly catalogue: ScopeCatalogue;
}

/** Creates an MCP server for each request, with the called tool or the list of tools. Requests share nothing. */
export function toolServers(
  { anonymous }: Pick<McpEndpoint, 'anonymous'>,
  { tools: table, catalogue, ...reports }: ToolServices,
): (exchange: Exchange) => Serve {
  const lists = listsOf(table, anonymous, catalogue);
  return (exchange) => {
    const { access, site } = exchange;
    const tools = lists[access?.audience ?? 'anonymous'];
    const instructions = `Tools of ${site.name}. ${anonymous ? open : closed} ${site.origin}${paths.guide} lists all tools and explains how to get a token.`;
    return serveOnce(() => toolServer(exchange, { tools, instructions, ...reports }), reports.onFault);
  };
}

/** The same results for plain requests, without a server. */
export function plainResults(
  { anonymous }: Pick<McpEndpoint, 'anonymous'>,
  { tools: table, catalogue, ...reports }: ToolServices,
): (exchange: Exchange, request: PlainRequest) => string | Promise<string> | undefined {
  const { anonymous: open, operator, member } = listsOf(table, anonymous, catalogue);
  const texts = { anonymous: listText(open), operator: listText(operator), member: listText(member) };
  return ({ site, access, call }, { method }) => {
    if (method === 'tools/list') return texts[access?.audience ?? 'anonymous'];
    return call && runTool(call, { site, access }, reports).then((result) => JSON.stringify(result));
  };
}

function listText(tools: readonly ListedTool[]): string {
  return JSON.stringify({ tools });
}

function listsOf(
  table: ToolTable,
  anonymous: boolean,
  catalogue: ScopeCatalogue,
): Readonly<Record<ClientAudience | 'anonymous', readonly ListedTool[]>> {
  const listFor = (audience?: ClientAudience): readonly ListedTool[] =>
    [...table.values()].filter((tool) => isListed(tool, audience, catalogue)).map((tool) => listed(tool, anonymous));
  return { anonymous: listFor(), operator: listFor('operator'), member: listFor('member') };
}

const open = 'Without an access token, only the public tools are listed; more may be available after sign-in.';
const closed = 'The list depends on who signed in.';

/**
 * Without a token, the public tools. With a token, also every tool for which its kind of client can get the scopes, so that
 * the client can call it and step up. Specification: Anonymous and missing tokens 1; Registration rules 6.
 */
function isListed(
  { tool: { access } }: CheckedTool,
  audience: ClientAudience | undefined,
  catalogue: ScopeCatalogue,
): boolean {
  if (access === 'public') return true;
  return audience !== undefined && isReachable(access.scopes, audience, catalogue);
}

/** How a client gets access to the tool is in `securitySchemes` (OpenAI Apps SDK). Some clients only read `_meta`. */
function listed({ tool: { access }, listed: tool }: CheckedTool, anonymous: boolean): ListedTool {
  const isOpen = access === 'public' && anonymous;
  const scopes = access === 'public' ? [] : [...access.scopes];
  const securitySchemes = [isOpen ? { type: 'noauth' } : { type: 'oauth2', scopes }];
  return Object.assign({}, tool, { securitySchemes, _meta: { securitySchemes } });
}

// The default validator is created for each server and would not be used.
const jsonSchemaValidator = {
  getValidator: (): never => {
    throw new Error('arguments are checked before the server is created');
  },
};

interface ServerOptions extends ToolReports {
  readonly tools: readonly ListedTool[];
  readonly instructions: string;
}

function toolServer({ site, access, call }: Exchange, { tools, instructions, ...reports }: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'campus-oidc', title: site.name, version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions,
      jsonSchemaValidator,
    },
  );
  server.server.setRequestHandler('tools/list', () => ({ tools: [...tools] }));
  if (call) {
    const { tool, schema } = call.tool;
    server.registerTool(tool.name, { inputSchema: schema }, () => runTool(call, { site, access }, reports));
  } else {
    server.server.setRequestHandler('tools/call', ({ params: { name } }) => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `this school has no tool ${JSON.stringify(name)}`);
    });
  }
  return server;
}
