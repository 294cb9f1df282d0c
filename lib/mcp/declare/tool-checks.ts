import * as z from 'zod';
import type { ClientAudience } from '../../contracts/client.ts';
import type { Tool, ToolAccess, ToolActions, ToolAnnotations, ToolScopes } from '../../contracts/tools.ts';
import { checkScopes, scopesField } from '../../protocol/client-fields.ts';
import { flag, func, group, hasMembers, type Members, shown, text } from '../../protocol/option-schemas.ts';
import type { ScopeCatalogue } from '../../protocol/scopes.ts';
import { isObject, optionError, pathText, readOptions } from '../../protocol/validate.ts';

const name = z
  // MCP, Tool Names; the SDK warns of a dash or dot at the ends at every call.
  .custom<string>((value) => typeof value === 'string' && /^(?=.{1,128}$)\w(?:[\w.-]*\w)?$/.test(value), {
    error: ({ input }) =>
      `be 1 to 128 letters, digits, "_", "-" or ".", without "-" or "." at its ends, not ${shown(input)}`,
  })
  // The SDK keeps tools in a plain object.
  .refine((value) => !(value in Object.prototype), {
    error: ({ input }) => `not be ${shown(input)}, which every object has`,
  });

const actions: z.ZodType<ToolActions> = group({
  argument: text('be the name of an argument'),
  scopes: z
    .record(z.string(), scopesField, 'have the scopes of each value')
    .refine((given) => Object.keys(given).length > 0, 'have the scopes of each value'),
} satisfies Members<ToolActions>);

const access = z.union([
  z.literal('public'),
  group(
    { scopes: scopesField, actions: actions.optional() } satisfies Members<ToolScopes>,
    'be "public", or have the scopes, for example { scopes: ["courses:read"] }',
  ),
]) satisfies z.ZodType<ToolAccess>;

const annotations = group({
  readOnlyHint: flag.optional(),
  destructiveHint: flag.optional(),
  idempotentHint: flag.optional(),
  openWorldHint: flag.optional(),
} satisfies Members<ToolAnnotations>);

const tool = group({
  name,
  title: text().optional(),
  description: text(),
  inputSchema: z.custom((value) => isObject(value) || typeof value === 'function', 'be a schema').optional(),
  inputJsonSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  access,
  annotations: annotations.optional(),
  run: func(),
} satisfies Members<Tool>);

const toolSchema = z
  .custom<Tool<unknown>>(isObject, {
    error: ({ input }) =>
      Array.isArray(input)
        ? 'be a tool, not a list of tools; write ...builtInTools({ data, catalogue })'
        : 'be a tool, for example schoolInfo()',
  })
  .check(hasMembers(tool));

/**
 * Checks a tool, except its schemas, which are checked where they are compiled, and which scopes there are.
 *
 * @throws TypeError that names what is wrong, for example `mcp.tools[0].access.scopes must be an array of scopes`
 */
export function checkTool(given: Tool<unknown>, path: string): void {
  readOptions(toolSchema, given, path);
}

/** @throws TypeError for a scope that does not exist, and for scopes that no client can have together */
export function checkToolScopes({ access: declared }: Tool<unknown>, path: string, catalogue: ScopeCatalogue): void {
  if (declared === 'public') return;
  const { scopes: always, actions: more } = declared;
  const check = (scopes: readonly string[], members: readonly string[]): void => {
    const at = pathText(['access', ...members], path);
    checkScopes(catalogue, scopes, at);
    const together = [...new Set([...always, ...scopes])];
    if ((['operator', 'member'] as const).some((audience) => isReachable(together, audience, catalogue))) return;
    const kinds = 'are for operator clients and for member clients';
    throw optionError(at, `be scopes that one client can have; ${together.join(' ')} ${kinds}`);
  };
  check(always, ['scopes']);
  for (const [value, needed] of Object.entries(more?.scopes ?? {})) check(needed, ['actions', 'scopes', value]);
}

/** Whether a client of this audience can have all of these scopes. */
export function isReachable(scopes: readonly string[], audience: ClientAudience, { mayHave }: ScopeCatalogue): boolean {
  return scopes.every((scope) => mayHave(audience, scope));
}
