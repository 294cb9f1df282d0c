import type { Tool, ToolAccess, ToolActions, ToolAnnotations } from '../../contracts/tools.ts';
import { isObject, isText, must } from '../../options/checks.ts';
import { isScope, mayHave } from '../../protocol/scopes.ts';

const members: Readonly<Record<keyof Tool, true>> = {
  name: true,
  title: true,
  description: true,
  inputSchema: true,
  inputJsonSchema: true,
  outputSchema: true,
  access: true,
  annotations: true,
  run: true,
};
const hints: Readonly<Record<keyof ToolAnnotations, true>> = {
  readOnlyHint: true,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};

/** MCP, Tool Names; the SDK warns of a dash or dot at the ends at every call. */
const toolName = /^(?=.{1,128}$)\w(?:[\w.-]*\w)?$/;

/**
 * Checks what a tool says of itself; its schemas are checked where they are compiled.
 *
 * @throws TypeError that names what is wrong, for example `tools[0].access.scopes[1] must be a scope of the catalogue`
 */
export function checkTool(tool: Tool<unknown>, path: string): void {
  must(!Array.isArray(tool), path, 'be a tool, not a list of tools; write ...builtInTools(platform)');
  must(isObject(tool), path, 'be a tool, for example schoolInfo()');
  onlyHas(tool, members, path);
  const { name, title, description, annotations, access } = tool;
  const named = typeof name === 'string' && toolName.test(name);
  const rule = 'be 1 to 128 letters, digits, "_", "-" or ".", without "-" or "." at its ends';
  must(named, `${path}.name`, `${rule}, not ${JSON.stringify(name)}`);
  // The SDK keeps tools in a plain object.
  must(!(name in Object.prototype), `${path}.name`, `not be ${JSON.stringify(name)}, which every object has`);
  must(title === undefined || isText(title), `${path}.title`, 'be a non-empty string');
  must(isText(description), `${path}.description`, 'be a non-empty string');
  must(annotations === undefined || isObject(annotations), `${path}.annotations`, 'be an object');
  onlyHas(annotations ?? {}, hints, `${path}.annotations`);
  must(typeof tool.run === 'function', `${path}.run`, 'be a function');
  checkAccess(access, `${path}.access`);
}

function checkAccess(access: ToolAccess, path: string): void {
  if (access === 'public') return;
  const fits = isObject(access) && Array.isArray(access.scopes);
  must(fits, path, 'be "public", or have the scopes, for example { scopes: ["courses:read"] }');
  onlyHas(access, { scopes: true, actions: true }, path);
  checkScopes(access.scopes, `${path}.scopes`);
  checkReach(access.scopes, `${path}.scopes`);
  if (access.actions) checkActions(access.actions, access.scopes, `${path}.actions`);
}

function checkActions({ argument, scopes }: ToolActions, always: readonly string[], path: string): void {
  must(isText(argument), `${path}.argument`, 'be the name of an argument');
  must(isObject(scopes) && Object.keys(scopes).length > 0, `${path}.scopes`, 'have the scopes of each value');
  for (const [value, needed] of Object.entries(scopes)) {
    checkScopes(needed, `${path}.scopes.${value}`);
    checkReach([...always, ...needed], `${path}.scopes.${value}`);
  }
}

/** There is a kind of client that may have all of them. */
function checkReach(scopes: readonly string[], path: string): void {
  const reached = (['operator', 'member'] as const).some((audience) =>
    scopes.every((scope) => mayHave(audience, scope)),
  );
  must(
    reached,
    path,
    `be scopes that one client can have; of ${scopes.join(' ')} some are for operator clients, some for member clients`,
  );
}

function checkScopes(scopes: unknown, path: string): void {
  must(Array.isArray(scopes), path, 'be an array of scopes');
  scopes.forEach((scope: unknown, i) => {
    const known = typeof scope === 'string' && isScope(scope);
    must(known, `${path}[${i}]`, `be a scope of the catalogue, not ${JSON.stringify(scope)}`);
  });
}

function onlyHas(value: object, known: Readonly<Record<string, true>>, path: string): void {
  for (const name of Object.keys(value)) {
    must(Object.hasOwn(known, name), `${path}.${name}`, `not be given; there are ${Object.keys(known).join(', ')}`);
  }
}
