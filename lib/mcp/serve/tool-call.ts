import { objectOf } from '../../kernel/json.ts';
import type { ServerResponse } from 'node:http';
import type { ToolScopes } from '../../plugin-contract/tools.ts';
import { isObject } from '../../kernel/validate.ts';
import { Timeout } from '../../kernel/timeout.ts';
import { ownEntry } from '../../kernel/own-entry.ts';
import type { CheckedArguments } from '../declare/tool-schemas.ts';
import type { CheckedTool, ToolTable } from '../declare/tool-table.ts';
import type { ClientAudience } from '../../core/clients/client.ts';

/** A tool call in a message, before its arguments are checked. */
export interface ToolRequest {
  readonly tool: CheckedTool;
  readonly given: unknown;
  /** The scopes that every call of the tool requires; empty for a public tool. */
  readonly scopes: readonly string[];
  /**
   * `scopes` and those of the action according to the unchecked arguments. A challenge names them, so that a client has
   * to step up only once. The check itself uses the checked arguments.
   */
  readonly likelyScopes: readonly string[];
}

/** The arguments, the caller's mistake, or a fault of the schema. */
type CallOutcome = CheckedArguments | { readonly fault: unknown };

/** A tool call whose arguments have been checked; `scopes` contains those of its action. */
export interface PreparedCall {
  readonly tool: CheckedTool;
  readonly scopes: readonly string[];
  /** The arguments, the caller's mistake, or a fault of the schema. */
  readonly outcome: CallOutcome;
  readonly time: CallTimeLimit;
}

/** How long a call may run: until its response is sent, its time is up, or the caller disconnects. */
type CallTimeLimit = Pick<Timeout, 'signal' | 'within'>;

export class ToolTimeout extends Error {
  override readonly name = 'ToolTimeout';
}

export class CallerDisconnected extends Error {
  override readonly name = 'CallerDisconnected';
}

/** Starts the time of the one call of a request; it ends with the response. */
export function startCallTimeLimit(response: ServerResponse, tool: string, seconds: number): CallTimeLimit {
  const late = (): Error => new ToolTimeout(`tool ${tool} took longer than ${seconds} seconds`);
  const timeout = new Timeout(seconds * 1000, late);
  const closed = (): void => {
    if (response.writableFinished) timeout.clear();
    else timeout.end(new CallerDisconnected('the caller disconnected'));
  };
  if (response.closed) closed();
  else response.once('close', closed);
  return timeout;
}

/** The tool call in a message; `undefined` if the message does not call one of these tools. */
export function toolRequest(table: ToolTable, message: unknown): ToolRequest | undefined {
  const { method, params } = objectOf(message);
  const { name, arguments: given = {} } = objectOf(params);
  const tool = method === 'tools/call' && typeof name === 'string' ? table.get(name) : undefined;
  if (!tool) return undefined;
  const { access } = tool.tool;
  if (access === 'public') return { tool, given, scopes: [], likelyScopes: [] };
  return { tool, given, scopes: access.scopes, likelyScopes: union(access.scopes, likelyScopes(access, tool, given)) };
}

function likelyScopes({ actions }: ToolScopes<ClientAudience>, { input }: CheckedTool, given: unknown) {
  if (!actions) return [];
  const { properties } = objectOf(input.jsonSchema);
  const fallback = objectOf(objectOf(properties)[actions.argument])['default'];
  return scopesOfAction(actions.scopes, objectOf(given)[actions.argument] ?? fallback) ?? [];
}

export async function prepareCall({ tool, given, scopes }: ToolRequest, time: CallTimeLimit): Promise<PreparedCall> {
  const outcome = await check(tool, given, time);
  const { access } = tool.tool;
  if (access === 'public' || !access.actions || !('args' in outcome)) return { tool, scopes, outcome, time };
  const { argument, scopes: declared } = access.actions;
  const needed = scopesOfAction(declared, objectOf(outcome.args)[argument]);
  if (needed) return { tool, scopes: union(scopes, needed), outcome, time };
  return { tool, scopes, outcome: { problem: `${argument} must be one of ${Object.keys(declared).join(', ')}` }, time };
}

async function check({ input }: CheckedTool, given: unknown, time: CallTimeLimit): Promise<CallOutcome> {
  if (!isObject(given)) return { problem: 'the arguments must be an object' };
  try {
    return await time.within(input.check({ ...given }));
  } catch (fault) {
    return { fault };
  }
}

/** The additional scopes of an action; `undefined` for an action that is not declared. */
function scopesOfAction(scopes: Readonly<Record<string, readonly string[]>>, action: unknown) {
  return typeof action === 'string' ? ownEntry(scopes, action) : undefined;
}

function union(one: readonly string[], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])];
}
