import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { DeclaredBoundary } from '../../core/boundaries/boundary.ts';
import { checkHonours, honoursField } from '../../core/boundaries/honours-field.ts';
import { type ClientAudience, personAudiences } from '../../core/clients/client.ts';
import type {
  JsonSchema,
  Tool,
  ToolActions,
  ToolAnnotations,
  ToolScopes,
  ToolAccess,
} from '../../plugin-contract/tools.ts';
import { authenticationFields } from '../../core/bearer/access-requirement.ts';
import { audienceField, checkScopes, scopesField } from '../../core/clients/client-fields.ts';
import { flag, func, group, hasMembers, list, type Shape, shown, text } from '../../kernel/option-schemas.ts';
import { alternatives } from '../../core/enabled/enabled.ts';
import type { ScopeCatalogue } from '../../core/scopes/scopes.ts';
import { isObject, optionError, pathText, readOptions } from '../../kernel/validate.ts';
import { type AnyTool, type OutputValidator, readInput, readOutput, type ToolInput } from './tool-schemas.ts';
import { checkEach } from '../../kernel/check-each.ts';

const toolName = z
  // MCP, Tool Names; the SDK warns of a dash or dot at the ends at every call.
  .custom<string>((value) => typeof value === 'string' && /^(?=.{1,128}$)\w(?:[\w.-]*\w)?$/.test(value), {
    error: ({ input }) =>
      `be 1 to 128 letters, digits, "_", "-" or ".", without "-" or "." at its ends, not ${shown(input)}`,
  })
  // The SDK keeps tools in a plain object.
  .refine((value) => !(value in Object.prototype), {
    error: ({ input }) => `not be ${shown(input)}, which every object has`,
  });

const actionsSchema: z.ZodType<ToolActions> = group({
  argument: text('be the name of an argument'),
  scopes: z
    .record(z.string(), scopesField, 'have the scopes of each value')
    .refine((given) => Object.keys(given).length > 0, 'have the scopes of each value'),
} satisfies Shape<ToolActions>);

const accessSchema = z.union([
  z.literal('public'),
  group(
    {
      scopes: scopesField,
      actions: actionsSchema.optional(),
      audience: list(audienceField, 'be an array of audiences').optional(),
      ...authenticationFields,
      honours: honoursField.optional(),
    } satisfies Shape<ToolScopes>,
    'be "public", or have the scopes, for example { scopes: ["courses:read"] }',
  ),
]) satisfies z.ZodType<ToolAccess<ClientAudience>>;

const annotationsSchema = group({
  readOnlyHint: flag.optional(),
  destructiveHint: flag.optional(),
  idempotentHint: flag.optional(),
  openWorldHint: flag.optional(),
} satisfies Shape<ToolAnnotations>);

const toolMembers = group({
  name: toolName,
  title: text().optional(),
  description: text(),
  inputSchema: z.custom((value) => isObject(value) || typeof value === 'function', 'be a schema').optional(),
  inputJsonSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  access: accessSchema,
  annotations: annotationsSchema.optional(),
  run: func(),
} satisfies Shape<Tool>);

const toolSchema = z
  .custom<AnyTool>(isObject, {
    error: ({ input }) =>
      Array.isArray(input)
        ? 'be a tool, not a list of tools; write ...builtInTools({ data, catalogue })'
        : 'be a tool, for example schoolInfo()',
  })
  .check(hasMembers(toolMembers));

export interface CheckedTool {
  readonly tool: AnyTool;
  readonly input: ToolInput;
  /** Absent if the tool has no `outputSchema`. */
  readonly output: OutputValidator | undefined;
  /** As `tools/list` shows it, without the way to get access. */
  readonly listed: ListedTool;
  /** The input schema for the SDK. It accepts everything, because `input` checks the arguments. */
  readonly schema: StandardSchemaWithJSON;
}

/** A tool as apps see it in the list. */
type ListedTool = Pick<AnyTool, 'name' | 'title' | 'description' | 'outputSchema' | 'annotations'> & {
  readonly inputSchema: JsonSchema;
};

/** By name. */
export type ToolTable = ReadonlyMap<string, CheckedTool>;

/** @throws TypeError that names what is wrong, for example `mcp.tools[1].name must be unique; "search" is duplicated` */
export function readTools(tools: readonly AnyTool[]): ToolTable {
  const table = new Map<string, CheckedTool>();
  checkEach(tools, (tool, i) => {
    const path = pathOf(i);
    readOptions(toolSchema, tool, path);
    if (table.has(tool.name)) {
      throw optionError(`${path}.name`, `be unique; ${JSON.stringify(tool.name)} is duplicated`);
    }
    const input = readInput(tool, path);
    const output = readOutput(tool, path);
    const listed = listedTool(tool, input.jsonSchema, output?.jsonSchema);
    table.set(tool.name, { tool, input, output: output?.check, listed, schema: acceptAll(input.jsonSchema) });
  });
  return table;
}

/** @throws TypeError for a scope or boundary that does not exist, and for scopes that no client can have together */
export function checkAccessOf(
  table: ToolTable,
  catalogue: ScopeCatalogue,
  boundaries: readonly DeclaredBoundary[],
): void {
  checkEach(table.values(), ({ tool: { access: declared } }, i) => {
    if (declared === 'public') return;
    checkHonours(boundaries, declared.honours, pathText(['access', 'honours'], pathOf(i)));
    const check = (scopes: readonly string[], members: readonly string[]): void => {
      const at = pathText(['access', ...members], pathOf(i));
      checkScopes(catalogue, scopes, at);
      const together = [...new Set([...declared.scopes, ...scopes])];
      const audiences = audiencesOf(declared);
      if (audiences.some((audience) => isReachable(together, audience, catalogue))) return;
      const kinds = `are not all for one kind of client (${alternatives(audiences)})`;
      throw optionError(at, `be scopes that one client can have; ${together.join(' ')} ${kinds}`);
    };
    check(declared.scopes, ['scopes']);
    const actions = Object.entries(declared.actions?.scopes ?? {});
    for (const [value, scopes] of actions) check(scopes, ['actions', 'scopes', value]);
  });
}

/** Whether a client of this audience can have all of these scopes. */
export function isReachable(scopes: readonly string[], audience: ClientAudience, { mayHave }: ScopeCatalogue): boolean {
  return scopes.every((scope) => mayHave(audience, scope));
}

/** The audiences of the clients whose tokens a tool gets. One that is public takes those of people. */
export function audiencesOf(access: ToolAccess<ClientAudience>): readonly ClientAudience[] {
  return (access === 'public' ? undefined : access.audience) ?? personAudiences;
}

/** Names are unique, so the table has the order of the list. */
function pathOf(i: number): string {
  return `mcp.tools[${i}]`;
}

function listedTool(
  { name, title, description, annotations }: AnyTool,
  inputSchema: JsonSchema,
  outputSchema: JsonSchema | undefined,
): ListedTool {
  return structuredClone({ name, title, description, inputSchema, outputSchema, annotations });
}

function acceptAll(schema: JsonSchema): StandardSchemaWithJSON {
  const jsonSchema = { input: () => ({ ...schema }), output: () => ({ ...schema }) };
  return { '~standard': { version: 1, vendor: 'campus-oidc', validate: (value) => ({ value }), jsonSchema } };
}
