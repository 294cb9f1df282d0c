import { isSpecType, type StandardSchemaWithJSON, type Tool as ListedTool } from '@modelcontextprotocol/server';
import type { JsonSchema, Tool } from '../../contracts/tools.ts';
import { optionError } from '../../protocol/validate.ts';
import type { ScopeCatalogue } from '../../protocol/scopes.ts';
import { checkTool, checkToolScopes } from './tool-checks.ts';
import { type OutputValidator, readInput, readOutput, type ToolInput } from './tool-schemas.ts';

export interface CheckedTool {
  readonly tool: Tool<unknown>;
  readonly input: ToolInput;
  /** Absent if the tool has no `outputSchema`. */
  readonly output: OutputValidator | undefined;
  /** As `tools/list` shows it, without the way to get access. */
  readonly listed: ListedTool;
  /** The input schema for the SDK. It accepts everything, because `input` checks the arguments. */
  readonly schema: StandardSchemaWithJSON;
}

/** By name. */
export type ToolTable = ReadonlyMap<string, CheckedTool>;

/** @throws TypeError that names what is wrong, for example `mcp.tools[1].name must be unique; "search" is duplicated` */
export function readTools(tools: readonly Tool<unknown>[]): ToolTable {
  const table = new Map<string, CheckedTool>();
  for (const [i, tool] of tools.entries()) {
    const path = pathOf(i);
    checkTool(tool, path);
    if (table.has(tool.name)) {
      throw optionError(`${path}.name`, `be unique; ${JSON.stringify(tool.name)} is duplicated`);
    }
    const input = readInput(tool, path);
    const output = readOutput(tool, path);
    const listed = listedTool(tool, input.jsonSchema, path);
    table.set(tool.name, { tool, input, output, listed, schema: acceptAll(input.jsonSchema) });
  }
  return table;
}

/** @throws TypeError for a scope that does not exist, for example `mcp.tools[0].access.scopes[1] must be a scope of the …` */
export function checkScopesOf(table: ToolTable, catalogue: ScopeCatalogue): void {
  [...table.values()].forEach(({ tool }, i) => checkToolScopes(tool, pathOf(i), catalogue));
}

/** Names are unique, so the table has the order of the list. */
function pathOf(i: number): string {
  return `mcp.tools[${i}]`;
}

function listedTool(tool: Tool<unknown>, inputSchema: JsonSchema, path: string): ListedTool {
  const { name, title, description, outputSchema, annotations } = tool;
  const shown: unknown = structuredClone({ name, title, description, inputSchema, outputSchema, annotations });
  if (!isSpecType.Tool(shown)) throw optionError(path, 'be a tool as MCP defines it');
  return shown;
}

function acceptAll(schema: JsonSchema): StandardSchemaWithJSON {
  const jsonSchema = { input: () => ({ ...schema }), output: () => ({ ...schema }) };
  return { '~standard': { version: 1, vendor: 'campus-oidc', validate: (value) => ({ value }), jsonSchema } };
}
