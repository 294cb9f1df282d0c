import {
  isSpecType,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server';
import type { ClientAudience } from '../../core/clients/client.ts';
import type { McpEndpoint } from '../../plugin-contract/plugin.ts';
import { paths } from '../../http/paths.ts';
import type { ScopeCatalogue } from '../../core/scopes/scopes.ts';
import { version } from '../../kernel/version.ts';
import { optionError } from '../../kernel/validate.ts';
import { type CheckedTool, isReachable, audiencesOf, type ToolTable } from '../declare/tool-table.ts';
import type { Exchange, ToolServer } from './route.ts';
import type { ToolReports } from './audit-tool.ts';
import { runTool } from './run-tool.ts';
import { serveOnce } from './serve.ts';

const open = 'Without an access token, only the public tools are listed; more may be available after sign-in.';
const closed = 'The list depends on who signed in.';

/**
 * Serves each request by an MCP server of its own, with the called tool or the list of tools, and plain requests with the
 * same results without a server.
 */
export function toolServers(
  { anonymous }: McpEndpoint,
  table: ToolTable,
  catalogue: ScopeCatalogue,
  reports: ToolReports,
): ToolServer {
  const listFor = (audience?: ClientAudience) => {
    const isListed = isListedFor(audience, catalogue);
    const tools = [...table.values()].filter(isListed).map((tool) => listed(tool, anonymous));
    return { tools, text: JSON.stringify({ tools }) };
  };
  const lists = {
    anonymous: listFor(),
    operator: listFor('operator'),
    member: listFor('member'),
    service: listFor('service'),
  };
  const listOf = ({ token }: Exchange) => lists[token?.audience ?? 'anonymous'];
  return {
    serve: (exchange) => {
      const { name, origin } = exchange.site;
      const instructions = `Tools of ${name}. ${anonymous ? open : closed} ${origin}${paths.guide} lists all tools and explains how to get a token.`;
      const { tools } = listOf(exchange);
      return serveOnce(() => toolServer(exchange, tools, instructions, reports), reports.onFault);
    },
    plainResult: async (exchange, { method }) => {
      if (method === 'tools/list') return listOf(exchange).text;
      const { call, site, token } = exchange;
      return call && JSON.stringify(await runTool(call, { site, token }, reports));
    },
  };
}

/**
 * Without a token, the public tools. With a token, also every tool for which its kind of client can get the scopes, so that
 * the client can call it and step up. Specification: Anonymous and missing tokens 1; Registration rules 6.
 */
function isListedFor(audience: ClientAudience | undefined, catalogue: ScopeCatalogue) {
  return ({ tool: { access } }: CheckedTool): boolean =>
    access === 'public' ||
    (audience !== undefined &&
      audiencesOf(access).includes(audience) &&
      isReachable(access.scopes, audience, catalogue));
}

/** How a client gets access to the tool is in `securitySchemes` (OpenAI Apps SDK). Some clients only read `_meta`. */
function listed({ tool: { access }, listed: tool }: CheckedTool, anonymous: boolean): ListedTool {
  const isOpen = access === 'public' && anonymous;
  const scopes = access === 'public' ? [] : [...access.scopes];
  const securitySchemes = [isOpen ? { type: 'noauth' } : { type: 'oauth2', scopes }];
  const shown: unknown = { ...tool, securitySchemes, _meta: { securitySchemes } };
  if (!isSpecType.Tool(shown))
    throw optionError(`the tool ${JSON.stringify(tool.name)}`, 'be a tool as MCP defines it');
  return shown;
}

// The default validator is created for each server and would not be used.
const jsonSchemaValidator = {
  getValidator: (): never => {
    throw new Error('arguments are checked before the server is created');
  },
};

function toolServer(
  { site, token, call }: Exchange,
  tools: readonly ListedTool[],
  instructions: string,
  reports: ToolReports,
): McpServer {
  const server = new McpServer(
    { name: 'campus-oidc', title: site.name, version },
    { capabilities: { tools: { listChanged: false } }, instructions, jsonSchemaValidator },
  );
  server.server.setRequestHandler('tools/list', () => ({ tools: [...tools] }));
  if (call) {
    const { tool, schema } = call.tool;
    server.registerTool(tool.name, { inputSchema: schema }, () => runTool(call, { site, token }, reports));
  } else {
    server.server.setRequestHandler('tools/call', ({ params: { name } }) => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `this school has no tool ${JSON.stringify(name)}`);
    });
  }
  return server;
}
