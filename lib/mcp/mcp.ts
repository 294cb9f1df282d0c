import type { McpPlugin, ToolDescription } from '../contracts/plugin.ts';
import type { Tool } from '../contracts/tools.ts';
import { paths } from '../protocol/paths.ts';
import { type McpOptions, readMcpOptions } from './declare/options.ts';
import { type CheckedTool, readTools } from './declare/tool-table.ts';
import { mcpRoute } from './serve/route.ts';
import { toolServers } from './serve/tool-servers.ts';

/**
 * Creates the tool endpoint, `/mcp`. Pass the result to `createCampus`. Specification: Tool endpoint.
 *
 * @throws TypeError that names what is wrong, for example `mcp.tools[0].name must be unique; "search" is there twice`
 */
export function mcp(options: McpOptions = {}): McpPlugin {
  const { tools: given, origins, toolTimeout } = readMcpOptions(options);
  const tools = readTools(given);
  return {
    mount: ({ verify, quotas, onFault }) => ({
      routes: [mcpRoute({ tools, verify, quotas, origins, toolTimeout, serve: toolServers(tools, onFault) })],
      protectedPaths: [paths.mcp],
      description: { tools: [...tools.values()].map(describe) },
    }),
  };
}

/**
 * Gives `run` the type of its arguments: that of the Standard Schema, or `Args` for a JSON Schema. Returns the given tool.
 */
export function defineTool<Args = Readonly<Record<string, unknown>>>(tool: Tool<Args>): Tool<Args> {
  return tool;
}

function describe({ tool: { name, title, description, access }, input }: CheckedTool): ToolDescription {
  return { name, title, description, access, inputSchema: input.jsonSchema };
}
