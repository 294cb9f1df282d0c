import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server';
import type { Site } from '../../contracts/member.ts';
import { paths } from '../../protocol/paths.ts';
import { version } from '../../runtime/version.ts';
import type { PreparedCall } from '../call/prepare.ts';

export interface ToolServerOptions {
  readonly site: Site;
  /** The tools that `tools/list` returns. */
  readonly listed: readonly ListedTool[];
  /** The tool call of this request, if it has one. */
  readonly call: PreparedCall | undefined;
  readonly run: (call: PreparedCall) => Promise<CallToolResult>;
}

// The default validator is created for each server and would not be used.
const jsonSchemaValidator = {
  getValidator: (): never => {
    throw new Error('arguments are checked before the server is created');
  },
};

/**
 * The MCP server of one request, with the called tool or the list of tools. It shares nothing with other requests.
 */
export function toolServer({ site, listed, call, run }: ToolServerOptions): McpServer {
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
    server.registerTool(call.tool.tool.name, { inputSchema: call.tool.schema }, () => run(call));
  } else {
    server.server.setRequestHandler('tools/call', ({ params: { name } }) => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `this school has no tool ${JSON.stringify(name)}`);
    });
  }
  return server;
}
