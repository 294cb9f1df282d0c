import type { ToolScopes } from '../../contracts/tools.ts';
import type { CheckedTool, ToolTable } from '../declare/tool-table.ts';

/** A call of a tool as a message asks for it, before anything of it is checked. */
export interface ToolRequest {
  readonly tool: CheckedTool;
  /** Its arguments, if they are any. */
  readonly given: unknown;
  /** What every call of the tool needs; nothing where it is public. */
  readonly scopes: readonly string[];
  /**
   * The same, and what its action seems to need: what a challenge names, so that a client has to step up only once. What
   * is enforced is told by the arguments once they are checked.
   */
  readonly likelyScopes: readonly string[];
}

/** Reads which tool a message calls; `undefined` for a message that calls none of these. */
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

/** The scopes that an action is declared to need; `undefined` for what is no action: nobody has said what it needs. */
export function scopesOfAction(
  scopes: Readonly<Record<string, readonly string[]>>,
  action: unknown,
): readonly string[] | undefined {
  return typeof action === 'string' && Object.hasOwn(scopes, action) ? scopes[action] : undefined;
}

/** Each of them once. */
export function union(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}

/** The own members of what may be anything. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
