import { type CallToolResult, specTypeSchemas } from '@modelcontextprotocol/server';
import type { ToolResult } from '../../contracts/tools.ts';
import type { OutputValidator } from '../declare/tool-schemas.ts';

/**
 * Converts the result of a tool to MCP. Structured content is also sent as text, for models and older clients.
 *
 * @throws TypeError if it is not a valid result, cannot be converted to JSON, or does not match the tool's `outputSchema`
 */
export function callToolResult(result: ToolResult, output: OutputValidator | undefined): CallToolResult {
  const checkedResult = checked(
    typeof result === 'string' ? { content: [{ type: 'text', text: result }] } : written(result),
  );
  const problem = output && checkedResult.isError !== true ? output(checkedResult.structuredContent) : undefined;
  if (problem !== undefined) throw new TypeError(`the result does not match outputSchema: ${problem}`);
  return checkedResult;
}

export function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The result as the client gets it: dates are strings and undefined members are removed. */
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
    ...(isError === true && { isError }),
  };
  return JSON.parse(JSON.stringify(json));
}

const { validate } = specTypeSchemas.CallToolResult['~standard'];

function checked(value: unknown): CallToolResult {
  const result = validate(value);
  if (!result.issues) return result.value;
  const place = result.issues[0]?.path?.map(String).join('.') ?? '';
  throw new TypeError(`the result is not valid in MCP: ${place} ${result.issues[0]?.message}`);
}
