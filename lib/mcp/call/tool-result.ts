import { type CallToolResult, specTypeSchemas } from '@modelcontextprotocol/server';
import type { ToolResult } from '../../contracts/tools.ts';
import type { OutputValidator } from '../declare/tool-schemas.ts';

/**
 * A tool's answer as MCP has it: structured content also as text, for models, and for clients that do not know it.
 *
 * @throws TypeError for what is no answer, cannot be written as JSON, or is not as the tool's `outputSchema` has it
 */
export function callToolResult(result: ToolResult, output: OutputValidator | undefined): CallToolResult {
  const answer = checked(typeof result === 'string' ? { content: [{ type: 'text', text: result }] } : written(result));
  const problem = output && answer.isError !== true ? output(answer.structuredContent) : undefined;
  if (problem !== undefined) throw new TypeError(`the answer is not as outputSchema has it: ${problem}`);
  return answer;
}

/** An answer that says what went wrong. */
export function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** As it is when it arrives: dates are text, and what is undefined is not there. */
function written(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('content' in result || 'structuredContent' in result)) {
    throw new TypeError('a tool answers a string, or an object with content or structuredContent');
  }
  const { content, structuredContent, isError }: Readonly<Record<string, unknown>> = { ...result };
  if (Array.isArray(structuredContent)) throw new TypeError('structuredContent must be an object, not a list');
  const text = content === undefined ? JSON.stringify(structuredContent) : '';
  const answer = {
    content: content ?? [{ type: 'text', text }],
    structuredContent,
    ...(isError === true && { isError }),
  };
  return JSON.parse(JSON.stringify(answer));
}

const { validate } = specTypeSchemas.CallToolResult['~standard'];

function checked(answer: unknown): CallToolResult {
  const result = validate(answer);
  if (!result.issues) return result.value;
  const place = result.issues[0]?.path?.map(String).join('.') ?? '';
  throw new TypeError(`the answer is not as MCP has it: ${place} ${result.issues[0]?.message}`);
}
