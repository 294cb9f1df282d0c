import type { ToolScopes } from '../contracts/tools.ts';
import type { CheckedArguments } from './input-schema.ts';
import type { CheckedTool, ToolTable } from './tool-table.ts';

/** What is to become of a call once it may reach its tool. */
export type Outcome = CheckedArguments | { readonly fault: unknown };

/** A call of a tool, before anything has run. */
export interface PreparedCall {
  readonly name: string;
  readonly tool: CheckedTool;
  /** The scopes that this call needs, or that it needs no token. */
  readonly needs: 'public' | readonly string[];
  readonly outcome: Outcome;
}

/**
 * Reads which tool a message calls, and what that needs: the scopes of the tool, and those of the action that its
 * arguments name once they are checked. `undefined` for a message that calls none of these tools.
 */
export async function prepareCall(table: ToolTable, message: unknown): Promise<PreparedCall | undefined> {
  const { method, params } = membersOf(message);
  const { name, arguments: given = {} } = membersOf(params);
  const tool = method === 'tools/call' && typeof name === 'string' ? table.get(name) : undefined;
  if (!tool || typeof name !== 'string') return undefined;
  const outcome = await check(tool, given);
  const { access } = tool.tool;
  if (access === 'public') return { name, tool, needs: 'public', outcome };
  const action = actionOf(access, outcome);
  return {
    name,
    tool,
    needs: [...new Set([...access.scopes, ...action.scopes])],
    outcome: action.problem === undefined ? outcome : { problem: action.problem },
  };
}

async function check({ input }: CheckedTool, given: unknown): Promise<Outcome> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { problem: 'the arguments must be an object' };
  }
  if (isDeeperThan(mostNesting, given)) return { problem: `the arguments are nested more than ${mostNesting} deep` };
  try {
    return await input.check({ ...given });
  } catch (fault) {
    return { fault };
  }
}

/** How deep arguments may be nested. Checks and clones are recursive, and a stack ends. */
const mostNesting = 100;

function isDeeperThan(most: number, value: object): boolean {
  let level: readonly object[] = [value];
  for (let depth = 0; depth < most && level.length > 0; depth += 1) {
    level = level.flatMap((each) => Object.values(each).filter(isObject));
  }
  return level.length > 0;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

interface Action {
  readonly scopes: readonly string[];
  readonly problem?: string;
}

/** An action that is not among those of the declaration is no action: nobody has said what it needs. */
function actionOf({ actions }: ToolScopes, outcome: Outcome): Action {
  if (!actions || !('args' in outcome)) return { scopes: [] };
  const { argument, scopes } = actions;
  const value = membersOf(outcome.args)[argument];
  const needed = typeof value === 'string' && Object.hasOwn(scopes, value) ? scopes[value] : undefined;
  if (needed) return { scopes: needed };
  return { scopes: [], problem: `${argument} must be one of ${Object.keys(scopes).join(', ')}` };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
