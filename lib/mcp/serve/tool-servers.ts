import { McpServer, ProtocolError, ProtocolErrorCode, type Tool as ListedTool } from '@modelcontextprotocol/server';
import type { ClientAudience } from '../../contracts/client.ts';
import type { OnFault } from '../../runtime/events.ts';
import { paths } from '../../protocol/paths.ts';
import { mayHave } from '../../protocol/scopes.ts';
import { version } from '../../runtime/version.ts';
import { runTool } from '../call/run-tool.ts';
import type { ToolTable } from '../declare/tool-table.ts';
import type { Exchange } from './route.ts';
import { type Serve, serveOnce } from './serve.ts';

/** Creates an MCP server for each request, with the called tool or the list of tools. Requests share nothing. */
export function toolServers(tools: ToolTable, onFault: OnFault): (exchange: Exchange) => Serve {
  const lists = {
    anonymous: listFor(tools, undefined),
    operator: listFor(tools, 'operator'),
    member: listFor(tools, 'member'),
  };
  return (exchange) => {
    const listed = lists[exchange.access?.audience ?? 'anonymous'];
    return serveOnce(() => toolServer(exchange, listed, onFault), onFault);
  };
}

/**
 * Without a token, the public tools. With a token, also every tool for which its kind of client can get the scopes, so that
 * the client can call it and step up. Specification: Anonymous and missing tokens 1; Registration rules 6.
 */
function listFor(tools: ToolTable, audience: ClientAudience | undefined): readonly ListedTool[] {
  const shown = [...tools.values()].filter(({ tool: { access } }) => {
    if (access === 'public') return true;
    return audience !== undefined && access.scopes.every((scope) => mayHave(audience, scope));
  });
  return shown.map(({ listed }) => listed);
}

// The default validator is created for each server and would not be used.
const jsonSchemaValidator = {
  getValidator: (): never => {
    throw new Error('arguments are checked before the server is created');
  },
};

function toolServer({ site, access, call }: Exchange, listed: readonly ListedTool[], onFault: OnFault): McpServer {
  const server = new McpServer(
    { name: 'campus-oidc', title: site.name, version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: `Tools of ${site.name}. Without an access token, only the public tools are listed; more may be available after sign-in. ${site.origin}${paths.guide} lists all tools and explains how to get a token.`,
      jsonSchemaValidator,
    },
  );
  server.server.setRequestHandler('tools/list', () => ({ tools: [...listed] }));
  if (call) {
    const { tool, schema } = call.tool;
    server.registerTool(tool.name, { inputSchema: schema }, () => runTool(call, { site, access }, onFault));
  } else {
    server.server.setRequestHandler('tools/call', ({ params: { name } }) => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `this school has no tool ${JSON.stringify(name)}`);
    });
  }
  return server;
}
