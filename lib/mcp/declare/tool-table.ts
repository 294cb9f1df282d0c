import type { StandardSchemaWithJSON, Tool as ListedTool } from '@modelcontextprotocol/server';
import type { JsonSchema, Tool } from '../../contracts/tools.ts';
import { optionError } from '../../protocol/validate.ts';
import { readInput, readOutput, type ToolInput, type OutputValidator } from './tool-schemas.ts';
import { listedTool } from './listed-tool.ts';
import { checkTool } from './tool-checks.ts';

export interface CheckedTool {
  readonly tool: Tool<unknown>;
  readonly input: ToolInput;
  /** Absent where the tool has no `outputSchema`. */
  readonly output: OutputValidator | undefined;
  /** As `tools/list` shows it. */
  readonly listed: ListedTool;
  /** The input schema for the SDK. It accepts everything, because `input` has checked the arguments. */
  readonly schema: StandardSchemaWithJSON;
}

/** By name. */
export type ToolTable = ReadonlyMap<string, CheckedTool>;

/**
 * Checks the tools and prepares what does not depend on a request.
 *
 * @throws TypeError that names what is wrong, for example `tools[1].name must be unique; "search" is there twice`
 */
export function readTools(tools: readonly Tool<unknown>[]): ToolTable {
  const table = new Map<string, CheckedTool>();
  for (const [i, tool] of tools.entries()) {
    const path = `mcp.tools[${i}]`;
    checkTool(tool, path);
    if (table.has(tool.name)) {
      throw optionError(`${path}.name`, `be unique; ${JSON.stringify(tool.name)} is there twice`);
    }
    const input = readInput(tool, path);
    const output = readOutput(tool, path);
    const { jsonSchema } = input;
    const listed = listedTool(tool, jsonSchema, path);
    table.set(tool.name, { tool, input, output, listed, schema: shown(jsonSchema) });
  }
  return table;
}

function shown(schema: JsonSchema): StandardSchemaWithJSON {
  const jsonSchema = { input: () => ({ ...schema }), output: () => ({ ...schema }) };
  return { '~standard': { version: 1, vendor: 'campus-oidc', validate: (value) => ({ value }), jsonSchema } };
}
