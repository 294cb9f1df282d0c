import { type CallToolResult, specTypeSchemas } from '@modelcontextprotocol/server';
import { isAccepted } from '../../core/bearer/guard.ts';
import type { ToolResult } from '../../plugin-contract/tools.ts';
import { OAuthError } from '../../kernel/errors.ts';
import { LazySignal } from '../../kernel/timeout.ts';
import type { OutputValidator } from '../declare/tool-schemas.ts';
import { audiencesOf } from '../declare/tool-table.ts';
import { auditTool, type Caller, type ToolReports } from './audit-tool.ts';
import { CallerDisconnected, type PreparedCall, ToolTimeout } from './tool-call.ts';
import type { ToolOutcome } from '../../observe/audit-event.ts';

const { validate } = specTypeSchemas.CallToolResult['~standard'];

const tooLate = 'took too long and was stopped; it may or may not have had an effect';
const masked = 'failed unexpectedly; try again, and contact the school if the error persists';

/** Errors become a result that the model can read; unexpected ones are reported to `onFault` and masked. */
export async function runTool(
  { tool: { tool, output }, outcome, time }: PreparedCall,
  call: Caller,
  { onFault, onAudit }: ToolReports,
): Promise<CallToolResult> {
  const audit = (result: ToolOutcome, about?: string): void => auditTool(onAudit, call, tool.name, result, about);
  if ('problem' in outcome) {
    audit('invalid_arguments');
    return failed(`${outcome.problem}; see the input schema of ${tool.name}`);
  }
  // Async, so that a tool that throws synchronously rejects.
  const run = async (): Promise<ToolResult> => {
    if ('fault' in outcome) throw outcome.fault;
    const { site, token } = call;
    const accepted = token && isAccepted(token, { audience: audiencesOf(tool.access) }) ? token : undefined;
    return tool.run(outcome.args, Object.assign(new LazySignal(time), { site, token: accepted }));
  };
  try {
    const given = await time.within(run());
    const [result, about] = [callToolResult(given, output), aboutOf(given)];
    audit(result.isError === true ? 'failed' : 'succeeded', about);
    return result;
  } catch (cause) {
    const gone = time.signal.reason instanceof CallerDisconnected;
    const told = cause instanceof OAuthError && cause.status < 500;
    const late = cause instanceof ToolTimeout;
    audit(gone ? 'disconnected' : told ? 'failed' : late ? 'timed_out' : 'fault');
    if (gone) return failed('the caller disconnected');
    if (told) return failed(cause.message);
    onFault(late ? cause.message : `tool ${tool.name} failed`, cause);
    return failed(`${tool.name} ${late ? tooLate : masked}`);
  }
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

const maxAbout = 200;

/** @throws TypeError if it is not a text: callers in plain JavaScript can return anything */
function aboutOf(given: ToolResult): string | undefined {
  const about: unknown = typeof given === 'string' ? undefined : given.about;
  if (about !== undefined && typeof about !== 'string') throw new TypeError('about must be a string');
  return about?.slice(0, maxAbout);
}

/** @throws TypeError if it is not a valid result, cannot be converted to JSON, or does not match `outputSchema` */
function callToolResult(given: ToolResult, output: OutputValidator | undefined): CallToolResult {
  const result = validate(typeof given === 'string' ? { content: [{ type: 'text', text: given }] } : written(given));
  if (result.issues) {
    const place = result.issues[0]?.path?.map(String).join('.') ?? '';
    throw new TypeError(`the result is not valid in MCP: ${place} ${result.issues[0]?.message}`);
  }
  const { isError, structuredContent } = result.value;
  const problem = output && isError !== true ? output(structuredContent) : undefined;
  if (problem !== undefined) throw new TypeError(`the result does not match outputSchema: ${problem}`);
  return result.value;
}

/**
 * The result as JSON: dates are strings and undefined members are removed. Structured content is also sent as text, for
 * models and older clients.
 */
function written(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('content' in result || 'structuredContent' in result)) {
    throw new TypeError('a tool must return a string, or an object with content or structuredContent');
  }
  const { content, structuredContent, isError }: Readonly<Record<string, unknown>> = { ...result };
  if (Array.isArray(structuredContent)) throw new TypeError('structuredContent must be an object, not an array');
  const text = content === undefined ? JSON.stringify(structuredContent) : '';
  const json = {
    content: content ?? [{ type: 'text', text }],
    structuredContent,
    isError: isError === true || undefined,
  };
  return JSON.parse(JSON.stringify(json));
}
