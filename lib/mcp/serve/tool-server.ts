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

/** What one request may see and do. */
export interface ToolServerOptions {
  readonly site: Site;
  /** What `tools/list` answers. */
  readonly listed: readonly ListedTool[];
  /** The call that this request makes, if it makes one. */
  readonly call: PreparedCall | undefined;
  readonly run: (call: PreparedCall) => Promise<CallToolResult>;
}

// One is made for each server otherwise, and none of ours checks anything with it.
const jsonSchemaValidator = {
  getValidator: (): never => {
    throw new Error('arguments are checked before the server is made');
  },
};

/**
 * The MCP server of one request: it knows the one tool that is called, or what there is to list. Nothing is shared with
 * any other request.
 */
export function toolServer({ site, listed, call, run }: ToolServerOptions): McpServer {
  const server = new McpServer(
    { name: 'campus-oidc', title: site.name, version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: `Tools of ${site.name}. Without an access token only its public tools are listed; after signing in there may be more. ${site.origin}${paths.guide} names them all, and says how to get a token.`,
      jsonSchemaValidator,
    },
  );
  server.server.setRequestHandler('tools/list', () => ({ tools: [...listed] }));
  if (call) {
    server.registerTool(call.tool.tool.name, { inputSchema: call.tool.schema }, () => run(call));
  } else {
    server.server.setRequestHandler('tools/call', ({ params: { name } }) => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${JSON.stringify(name)} here`);
    });
  }
  return server;
}
