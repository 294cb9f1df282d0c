import type { OnFault } from '../../runtime/events.ts';
import type { ToolDescription } from '../../contracts/plugin.ts';
import type { ToolTable } from '../declare/tool-table.ts';
import { runTool } from '../call/run-tool.ts';
import type { McpRouteOptions } from './route.ts';
import { serveOnce } from './serve.ts';
import { toolLister } from './tool-lister.ts';
import { toolServer } from './tool-server.ts';

/** Makes an MCP server for each request that may be served. */
export function toolServers(tools: ToolTable, onFault: OnFault): McpRouteOptions['serve'] {
  const list = toolLister(tools);
  return ({ site, access, call }) => {
    const run = (prepared: NonNullable<typeof call>) => runTool(prepared, { site, access }, onFault);
    return serveOnce(() => toolServer({ site, listed: list(access), call, run }), onFault);
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
