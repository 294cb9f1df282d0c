import type { CallTimeLimit } from './time-limit.ts';
import type { CheckedArguments } from '../declare/tool-schemas.ts';
import { membersOf, scopesOfAction, type ToolRequest, union } from './tool-request.ts';
import type { CheckedTool } from '../declare/tool-table.ts';

/** The result of checking arguments: the arguments, the caller's mistake, or a fault of the schema. */
export type Outcome = CheckedArguments | { readonly fault: unknown };

/** A call of a tool whose arguments have been checked. */
export interface PreparedCall {
  readonly tool: CheckedTool;
  /** The scopes that this call requires. */
  readonly scopes: readonly string[];
  readonly outcome: Outcome;
  readonly time: CallTimeLimit;
}

/** Checks the arguments of a call and determines the scopes that its action requires. */
export async function prepareCall({ tool, given, scopes }: ToolRequest, time: CallTimeLimit): Promise<PreparedCall> {
  const outcome = await check(tool, given, time);
  const { access } = tool.tool;
  if (access === 'public' || !access.actions || !('args' in outcome)) return { tool, scopes, outcome, time };
  const { argument, scopes: declared } = access.actions;
  const needed = scopesOfAction(declared, membersOf(outcome.args)[argument]);
  if (needed) return { tool, scopes: union(scopes, needed), outcome, time };
  return { tool, scopes, outcome: { problem: `${argument} must be one of ${Object.keys(declared).join(', ')}` }, time };
}

async function check({ input }: CheckedTool, given: unknown, time: CallTimeLimit): Promise<Outcome> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { problem: 'the arguments must be an object' };
  }
  if (isDeeperThan(mostNesting, given)) return { problem: `the arguments are nested more than ${mostNesting} deep` };
  try {
    return await time.within(input.check({ ...given }));
  } catch (fault) {
    return { fault };
  }
}

/** Maximum nesting of arguments. Checks and clones are recursive, so deep nesting could overflow the stack. */
const mostNesting = 100;

function isDeeperThan(most: number, value: object): boolean {
  let level: readonly object[] = [value];
  for (let depth = 0; depth < most && level.length > 0; depth += 1) {
    level = level.flatMap((each) => Object.values(each).filter(isNested));
  }
  return level.length > 0;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
