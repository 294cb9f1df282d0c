import type { Tool } from '../../contracts/tools.ts';

/**
 * Gives `run` the type of its arguments: that of the Standard Schema, or `Args` beside a JSON Schema. Returns the given
 * tool.
 */
export function defineTool<Args = Readonly<Record<string, unknown>>>(tool: Tool<Args>): Tool<Args> {
  return tool;
}
