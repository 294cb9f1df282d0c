import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Tool, ToolCall } from '../../contracts/tools.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { OnFault } from '../../runtime/events.ts';
import { CallerDisconnected, ToolTimeout } from './time-limit.ts';
import type { Outcome, PreparedCall } from './prepare.ts';
import { failed, callToolResult } from './tool-result.ts';

/**
 * Runs a tool that the caller may call. Errors become a result that the model can read; unexpected ones are reported to
 * `onFault` and masked.
 */
export async function runTool(
  { tool: { tool, output }, outcome, time }: PreparedCall,
  call: Omit<ToolCall, 'signal'>,
  onFault: OnFault,
): Promise<CallToolResult> {
  if ('problem' in outcome) return failed(`${outcome.problem}; see the input schema of ${tool.name}`);
  const { signal } = time;
  try {
    return callToolResult(await time.within(run(tool, outcome, { ...call, signal })), output);
  } catch (cause) {
    if (signal.reason instanceof CallerDisconnected) return failed('the caller disconnected');
    if (cause instanceof OAuthError && cause.status < 500) return failed(cause.message);
    const late = cause instanceof ToolTimeout;
    onFault(late ? cause.message : `tool ${tool.name} failed`, cause);
    return failed(`${tool.name} ${late ? tooLate : masked}`);
  }
}

const tooLate = 'took too long and was stopped; it may or may not have had an effect';
const masked = 'failed unexpectedly; try again, and contact the school if the error persists';

/** Async, so that a tool that throws synchronously rejects. */
async function run(tool: Tool<unknown>, outcome: Exclude<Outcome, { problem: string }>, call: ToolCall) {
  if ('fault' in outcome) throw outcome.fault;
  return tool.run(outcome.args, call);
}
