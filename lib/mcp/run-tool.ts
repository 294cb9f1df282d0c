import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Tool, ToolCall } from '../contracts/tools.ts';
import { InvalidRequest } from '../errors.ts';
import type { OnFault } from '../faults.ts';
import type { Outcome, PreparedCall } from './prepare.ts';
import { failed, toolAnswer } from './tool-answer.ts';

/** What running a tool rests on. */
export interface RunOptions {
  /** Seconds; see `McpOptions.toolTimeout`. */
  readonly timeout: number;
  readonly onFault: OnFault;
}

/**
 * Runs a tool that the caller may call. Whatever goes wrong is an answer that the model can read; what only we should
 * know is told to `onFault` and masked.
 *
 * @param gone - aborted when the caller has gone
 */
export async function runTool(
  { tool: { tool }, outcome }: PreparedCall,
  call: Omit<ToolCall, 'signal'>,
  gone: AbortSignal,
  { timeout, onFault }: RunOptions,
): Promise<CallToolResult> {
  if ('problem' in outcome) return failed(`${outcome.problem}; see the input schema of ${tool.name}`);
  const cutOff = new AbortController();
  const late = new Error(`tool ${tool.name} took longer than ${timeout} seconds`);
  const timer = setTimeout(() => cutOff.abort(late), timeout * 1000);
  const leave = (): void => cutOff.abort(gone.reason);
  if (gone.aborted) leave();
  gone.addEventListener('abort', leave, { once: true });
  try {
    const { signal } = cutOff;
    return toolAnswer(await Promise.race([run(tool, outcome, { ...call, signal }), aborted(signal)]));
  } catch (cause) {
    if (gone.aborted) return failed('nobody waits for the answer any more');
    if (cause instanceof InvalidRequest) return failed(cause.message);
    onFault(cutOff.signal.aborted ? late.message : `tool ${tool.name} failed`, cause);
    return failed(cutOff.signal.aborted ? `${tool.name} ${tooLate}` : `${tool.name} ${masked}`);
  } finally {
    clearTimeout(timer);
    gone.removeEventListener('abort', leave);
  }
}

const tooLate = 'took too long and was cut off; whether it has done anything is not known';
const masked = 'failed on our side; try again, and tell the school if it stays';

/** A tool that throws at once rejects, too. */
async function run(tool: Tool<unknown>, outcome: Exclude<Outcome, { problem: string }>, call: ToolCall) {
  if ('fault' in outcome) throw outcome.fault;
  return tool.run(outcome.args, call);
}

function aborted(signal: AbortSignal): Promise<never> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}
