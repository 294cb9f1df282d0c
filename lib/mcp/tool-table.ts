import type { StandardSchemaWithJSON, Tool as ListedTool } from '@modelcontextprotocol/server';
import type { JsonSchema, Tool, ToolAccess } from '../contracts/tools.ts';
import { must } from '../option-checks.ts';
import { isScope } from '../scopes.ts';
import { readInput, readShownSchema, type ToolInput } from './input-schema.ts';
import { listedTool } from './listed-tool.ts';

/** A tool that has been checked. */
export interface CheckedTool {
  readonly tool: Tool<unknown>;
  readonly input: ToolInput;
  /** As `tools/list` shows it. */
  readonly listed: ListedTool;
  /** The input schema as the SDK takes it; it lets everything pass, since `input` has checked it. */
  readonly schema: StandardSchemaWithJSON;
}

/** The tools by name. */
export type ToolTable = ReadonlyMap<string, CheckedTool>;

/**
 * Checks the tools and prepares all that does not depend on a request.
 *
 * @throws TypeError that names what is wrong, for example `tools[0].access.scopes[1] must be a scope of the catalogue`
 */
export function readTools(tools: readonly Tool<unknown>[]): ToolTable {
  const table = new Map<string, CheckedTool>();
  for (const [i, tool] of tools.entries()) {
    const path = `tools[${i}]`;
    checkTool(tool, path);
    must(!table.has(tool.name), `${path}.name`, `be unique; ${JSON.stringify(tool.name)} is there twice`);
    const input = readInput(tool, path);
    if (tool.outputSchema !== undefined) readShownSchema(tool.outputSchema, `${path}.outputSchema`);
    const { jsonSchema } = input;
    table.set(tool.name, { tool, input, listed: listedTool(tool, jsonSchema, path), schema: shown(jsonSchema) });
  }
  return table;
}

function shown(schema: JsonSchema): StandardSchemaWithJSON {
  const jsonSchema = { input: () => ({ ...schema }), output: () => ({ ...schema }) };
  return { '~standard': { version: 1, vendor: 'campus-oidc', validate: (value) => ({ value }), jsonSchema } };
}

/** MCP, Tool Names; the SDK warns of a dash or dot at the ends at every call. */
const toolName = /^(?=.{1,128}$)\w(?:[\w.-]*\w)?$/;

function checkTool(tool: Tool<unknown>, path: string): void {
  must(typeof tool === 'object' && tool !== null, path, 'be a tool, for example schoolInfo()');
  const { name, title, description, annotations, access } = tool;
  const named = typeof name === 'string' && toolName.test(name);
  must(named, `${path}.name`, 'be 1 to 128 letters, digits, "_", "-" or ".", without "-" or "." at its ends');
  // The SDK keeps tools in a plain object.
  must(!(name in Object.prototype), `${path}.name`, `not be ${JSON.stringify(name)}, which every object has`);
  must(title === undefined || isText(title), `${path}.title`, 'be a non-empty string');
  must(isText(description), `${path}.description`, 'be a non-empty string');
  must(annotations === undefined || isObject(annotations), `${path}.annotations`, 'be an object');
  must(typeof tool.run === 'function', `${path}.run`, 'be a function');
  checkAccess(access, `${path}.access`);
}

function checkAccess(access: ToolAccess, path: string): void {
  if (access === 'public') return;
  must(isObject(access) && Array.isArray(access.scopes), path, 'be "public", or an object with the scopes');
  checkScopes(access.scopes, `${path}.scopes`);
  if (access.actions === undefined) return;
  const { argument, scopes } = access.actions;
  must(isText(argument), `${path}.actions.argument`, 'be the name of an argument');
  must(isObject(scopes) && Object.keys(scopes).length > 0, `${path}.actions.scopes`, 'have the scopes of each value');
  for (const [value, needed] of Object.entries(scopes)) checkScopes(needed, `${path}.actions.scopes.${value}`);
}

function checkScopes(scopes: unknown, path: string): void {
  must(Array.isArray(scopes), path, 'be an array of scopes');
  scopes.forEach((scope: unknown, i) => {
    const known = typeof scope === 'string' && isScope(scope);
    must(known, `${path}[${i}]`, `be a scope of the catalogue, not ${JSON.stringify(scope)}`);
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
