import type { ToolScopes } from '../../contracts/tools.ts';
import type { CheckedTool, ToolTable } from '../declare/tool-table.ts';

/** A tool call in a message, before it is checked. */
export interface ToolRequest {
  readonly tool: CheckedTool;
  /** The unchecked arguments. */
  readonly given: unknown;
  /** The scopes that every call of the tool requires; empty for a public tool. */
  readonly scopes: readonly string[];
  /**
   * `scopes` and those of the action according to the unchecked arguments. A challenge names them, so that a client has
   * to step up only once. The check itself uses the checked arguments.
   */
  readonly likelyScopes: readonly string[];
}

/** The tool call in a message; `undefined` if the message does not call one of these tools. */
export function toolRequest(table: ToolTable, message: unknown): ToolRequest | undefined {
  const { method, params } = membersOf(message);
  const { name, arguments: given = {} } = membersOf(params);
  const tool = method === 'tools/call' && typeof name === 'string' ? table.get(name) : undefined;
  if (!tool) return undefined;
  const { access } = tool.tool;
  if (access === 'public') return { tool, given, scopes: [], likelyScopes: [] };
  const likely = likelyAction(access, tool, given) ?? [];
  return { tool, given, scopes: access.scopes, likelyScopes: union(access.scopes, likely) };
}

function likelyAction({ actions }: ToolScopes, { input }: CheckedTool, given: unknown): readonly string[] | undefined {
  if (!actions) return [];
  const { properties } = membersOf(input.jsonSchema);
  const fallback = membersOf(membersOf(properties)[actions.argument])['default'];
  return scopesOfAction(actions.scopes, membersOf(given)[actions.argument] ?? fallback);
}

/** The additional scopes of an action; `undefined` for an action that is not declared. */
export function scopesOfAction(
  scopes: Readonly<Record<string, readonly string[]>>,
  action: unknown,
): readonly string[] | undefined {
  return typeof action === 'string' && Object.hasOwn(scopes, action) ? scopes[action] : undefined;
}

export function union(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}

/** The own members of a value; none if it is not an object. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
