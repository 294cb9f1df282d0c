import type { Tool } from '../../contracts/tools.ts';
import type { ToolDescription } from '../../describe/service-description.ts';
import type { OnFault } from '../../host/faults.ts';
import type { McpRouteOptions } from './route.ts';
import { runTool } from '../call/run-tool.ts';
import { serveOnce } from './serve.ts';
import { toolLister } from './tool-lister.ts';
import { toolServer } from './tool-server.ts';
import { readTools } from '../declare/tool-table.ts';

/**
 * What `/mcp` serves: these tools.
 *
 * @throws TypeError that names what is wrong with a tool, for example `tools[0].name must be unique; …`
 */
export function toolEndpoint(
  given: readonly Tool<unknown>[],
  onFault: OnFault,
): Pick<McpRouteOptions, 'tools' | 'serve'> & { readonly facts: readonly ToolDescription[] } {
  const tools = readTools(given);
  const list = toolLister(tools);
  return {
    tools,
    facts: [...tools.values()].map(({ tool: { name, title, description, access }, input }) => ({
      name,
      title,
      description,
      access,
      inputSchema: input.jsonSchema,
    })),
    serve: ({ site, access, call }) => {
      const run = (prepared: NonNullable<typeof call>) => runTool(prepared, { site, access }, onFault);
      return serveOnce(() => toolServer({ site, listed: list(access), call, run }), onFault);
    },
  };
}
