import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server';
import type { Access } from '../../contracts/access.ts';
import type { OnFault } from '../../contracts/fault.ts';
import type { Site } from '../../contracts/member.ts';
import type { ToolDescription } from '../../contracts/plugin.ts';
import type { ToolAccess } from '../../contracts/tools.ts';
import { paths } from '../../protocol/paths.ts';
import { mayHave } from '../../protocol/scopes.ts';
import { version } from '../../runtime/version.ts';
import { runTool } from '../call/run-tool.ts';
import type { PreparedCall } from '../call/tool-call.ts';
import type { ToolTable } from '../declare/tool-table.ts';
import type { McpRouteOptions } from './route.ts';
import { serveOnce } from './serve.ts';

/** Creates an MCP server for each request, with the called tool or the list of tools. Requests share nothing. */
export function toolServers(tools: ToolTable, onFault: OnFault): McpRouteOptions['serve'] {
  const listedFor = toolLister(tools);
  return ({ site, access, call }) => {
    const run = (prepared: PreparedCall): Promise<CallToolResult> => runTool(prepared, { site, access }, onFault);
    return serveOnce(() => toolServer(site, listedFor(access), call, run), onFault);
  };
}

export function describeTools(tools: ToolTable): ToolDescription[] {
  return [...tools.values()].map(({ tool: { name, title, description, access }, input }) => ({
    name,
    title,
    description,
    access,
    inputSchema: input.jsonSchema,
  }));
}

/**
 * Without a token, the public tools. With a token, also every tool for which its kind of client can get the scopes, so that
 * the client can call it and step up. Specification: Anonymous and missing tokens 1; Registration rules 6.
 */
function toolLister(table: ToolTable): (access: Access | undefined) => readonly ListedTool[] {
  const list = (shows: (access: Exclude<ToolAccess, 'public'>) => boolean): readonly ListedTool[] =>
    [...table.values()]
      .filter(({ tool: { access } }) => access === 'public' || shows(access))
      .map(({ listed }) => listed);
  const lists = {
    anonymous: list(() => false),
    operator: list(({ scopes }) => scopes.every((scope) => mayHave('operator', scope))),
    member: list(({ scopes }) => scopes.every((scope) => mayHave('member', scope))),
  };
  return (access) => lists[access?.audience ?? 'anonymous'];
}

// The default validator is created for each server and would not be used.
const jsonSchemaValidator = {
  getValidator: (): never => {
    throw new Error('arguments are checked before the server is created');
  },
};

function toolServer(
  { name: title, origin }: Site,
  listed: readonly ListedTool[],
  call: PreparedCall | undefined,
  run: (call: PreparedCall) => Promise<CallToolResult>,
): McpServer {
  const server = new McpServer(
    { name: 'campus-oidc', title, version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: `Tools of ${title}. Without an access token, only the public tools are listed; more may be available after sign-in. ${origin}${paths.guide} lists all tools and explains how to get a token.`,
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
