import * as z from 'zod';
import type { Tool } from '../../contracts/tools.ts';
import { group, list, type Members, seconds, shown } from '../../protocol/option-schemas.ts';
import { readOptions } from '../../protocol/validate.ts';

/** How the tool endpoint `/mcp` behaves. */
export interface McpOptions {
  /** Built-in tools (`builtInTools`) and your own (`defineTool`). @default [] */
  readonly tools?: readonly Tool<unknown>[] | undefined;
  /**
   * Origins whose scripts may call it, for example `http://localhost:6274` for MCP Inspector in a browser. The site's own
   * origin is always allowed, and programs other than browsers send no origin. @default []
   */
  readonly origins?: readonly string[] | undefined;
  /** Seconds after which a tool call is cancelled, at most 3600. @default 30 */
  readonly toolTimeout?: number | undefined;
}

export type McpSettings = { readonly [O in keyof McpOptions]-?: NonNullable<McpOptions[O]> };

const origin = z
  .custom<string>(isOrigin, {
    error: ({ input }) => `be an origin without a path, for example "https://app.example", not ${shown(input)}`,
  })
  .meta({ type: 'origin' });

/** @internal */
export const mcpSchema: z.ZodType<McpSettings> = group({
  tools: list(z.custom<Tool<unknown>>(), 'be an array of tools')
    .prefault([])
    .meta({ description: 'The tools of `/mcp`.', type: 'array of `Tool`' }),
  origins: list(origin, 'be an array of origins')
    .prefault([])
    .describe('Origins whose scripts may call `/mcp`, in addition to the site’s own.'),
  toolTimeout: seconds(3600).default(30).describe('How long a tool call may take.'),
} satisfies Members<McpOptions>).prefault({});

export function readMcpOptions(mcp?: McpOptions): McpSettings {
  return readOptions(mcpSchema, mcp, 'mcp');
}

/** `URL.origin` is "null" for the address of a browser extension, whose origin browsers do send. */
function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const url = URL.parse(value);
  return url !== null && value === `${url.protocol}//${url.host}` && url.host !== '';
}
