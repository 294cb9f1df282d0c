import type { Tool } from '../../contracts/tools.ts';
import { must } from '../../options/checks.ts';

/** Options of `mcp`. */
export interface McpOptions {
  /** Ours (`builtInTools`) and yours (`defineTool`). @default [] */
  readonly tools?: readonly Tool<unknown>[] | undefined;
  /**
   * Origins whose scripts may call it, for example `http://localhost:6274` for MCP Inspector in a browser. The site's own
   * origin may, and programs that are no browser send none. @default []
   */
  readonly origins?: readonly string[] | undefined;
  /** Seconds until a tool that hangs is cut off. @default 30 */
  readonly toolTimeout?: number | undefined;
}

/** The options as read once. */
export interface McpSettings {
  readonly tools: readonly Tool<unknown>[];
  readonly origins: readonly string[];
  readonly toolTimeout: number;
}

const defaults: McpSettings = { tools: [], origins: [], toolTimeout: 30 };

/** Reads `mcp`: a complete copy. */
export function readMcpOptions(mcp: McpOptions = {}): McpSettings {
  must(typeof mcp === 'object' && mcp !== null, 'mcp', 'be an object');
  for (const name of Object.keys(mcp)) {
    must(name in defaults, `mcp.${name}`, `not be given; there are ${Object.keys(defaults).join(', ')}`);
  }
  const { tools = defaults.tools, origins = defaults.origins, toolTimeout = defaults.toolTimeout } = mcp;
  must(Array.isArray(tools), 'mcp.tools', 'be an array of tools');
  must(Array.isArray(origins), 'mcp.origins', 'be an array of origins');
  origins.forEach((origin, i) =>
    must(
      isOrigin(origin),
      `mcp.origins[${i}]`,
      `be an origin without a path, for example "https://app.example", not ${JSON.stringify(origin)}`,
    ),
  );
  must(Number.isFinite(toolTimeout) && toolTimeout > 0, 'mcp.toolTimeout', 'be a number of seconds, more than 0');
  return { tools: [...tools], origins: [...origins], toolTimeout };
}

/** An origin as browsers send it; of an extension's address the URL parser knows no origin. */
function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const url = URL.parse(value);
  return url !== null && value === `${url.protocol}//${url.host}` && url.host !== '';
}
