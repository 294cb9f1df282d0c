import * as z from 'zod';
import type { Tool, ToolAccess, ToolActions, ToolAnnotations, ToolScopes } from '../../contracts/tools.ts';
import { scopesField } from '../../protocol/client-fields.ts';
import { flag, func, group, hasMembers, type Members, refuse, shown, text } from '../../protocol/option-schemas.ts';
import { mayHave } from '../../protocol/scopes.ts';
import { isObject, readOptions } from '../../protocol/validate.ts';

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

const scopes = scopesField('a scope');

const actions: z.ZodType<ToolActions> = group({
  argument: text('be the name of an argument'),
  scopes: z
    .record(z.string(), scopes, 'have the scopes of each value')
    .refine((given) => Object.keys(given).length > 0, 'have the scopes of each value'),
} satisfies Members<ToolActions>);

const access = z.union([
  z.literal('public'),
  group(
    { scopes, actions: actions.optional() } satisfies Members<ToolScopes>,
    'be "public", or have the scopes, for example { scopes: ["courses:read"] }',
  ).check((payload) => {
    const { scopes: always, actions: more } = payload.value;
    requireReach(payload, ['scopes'], always);
    for (const [value, needed] of Object.entries(more?.scopes ?? {})) {
      requireReach(payload, ['actions', 'scopes', value], [...always, ...needed]);
    }
  }),
]) satisfies z.ZodType<ToolAccess>;

function requireReach(payload: z.core.ParsePayload, path: readonly PropertyKey[], together: readonly string[]): void {
  const audiences = ['operator', 'member'] as const;
  if (audiences.some((audience) => together.every((scope) => mayHave(audience, scope)))) return;
  const kinds = 'some are for operator clients, some for member clients';
  refuse(payload, path, `be scopes that one client can have; of ${together.join(' ')} ${kinds}`);
}

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
 * Checks a tool, except its schemas, which are checked where they are compiled.
 *
 * @throws TypeError that names what is wrong, for example `tools[0].access.scopes[1] must be a scope of the catalogue`
 */
export function checkTool(given: Tool<unknown>, path: string): void {
  readOptions(toolSchema, given, path);
}
