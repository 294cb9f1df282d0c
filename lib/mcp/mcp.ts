import type { McpPlugin, ToolDescription } from '../contracts/plugin.ts';
import type { Tool } from '../contracts/tools.ts';
import { checkEndpointPaths, mcpEndpoints } from './declare/endpoints.ts';
import { type McpOptions, readMcpOptions } from './declare/options.ts';
import { type CheckedTool, checkScopesOf, readTools } from './declare/tool-table.ts';
import { mcpRoute } from './serve/route.ts';
import { toolServers } from './serve/tool-servers.ts';

/**
 * Creates the tool endpoint, `/mcp`, `/mcp/operator` and `/mcp/member`. Pass the result to `createCampus`. Specification: Tool endpoint.
 *
 * @throws TypeError that names what is wrong, for example `mcp.tools[0].name must be unique; "search" is duplicated`;
 * `createCampus` throws one for a scope that does not exist
 */
export function mcp(options: McpOptions = {}): McpPlugin {
  const settings = readMcpOptions(options);
  const tools = readTools(settings.tools);
  checkEndpointPaths(settings);
  return {
    mount: ({ onFault, onAudit, catalogue, ...services }) => {
      checkScopesOf(tools, catalogue);
      const endpoints = mcpEndpoints(tools, settings, catalogue);
      return {
        routes: endpoints.map((endpoint) => {
          const servers = toolServers(endpoint, { tools, catalogue, onFault, onAudit });
          return mcpRoute(endpoint, { ...settings, ...services, onAudit, tools, ...servers });
        }),
        resources: endpoints,
        description: { endpoints, tools: [...tools.values()].map(describe) },
      };
    },
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
