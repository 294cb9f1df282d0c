import type { Tool } from '../../contracts/tools.ts';

/**
 * A tool whose `run` knows the type of its arguments: that of the Standard Schema, or of `Args` beside a JSON Schema.
 * Answers what it was given.
 */
export function defineTool<Args = Readonly<Record<string, unknown>>>(tool: Tool<Args>): Tool<Args> {
  return tool;
}
