import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { ToolContent, ToolResult } from '../contracts/tools.ts';

/**
 * A tool's answer as MCP has it: structured content also as text, for models, and for clients that do not know it.
 *
 * @throws TypeError for what is no answer, or cannot be written as JSON
 */
export function toolAnswer(result: ToolResult): CallToolResult {
  if (typeof result === 'string') return { content: [{ type: 'text', text: result }] };
  if (typeof result !== 'object' || result === null) throw new TypeError('a tool answers a string or an object');
  const { structuredContent, content, isError } = result;
  const text = JSON.stringify(structuredContent ?? {});
  const structured: unknown = JSON.parse(text);
  if (typeof structured !== 'object' || structured === null || Array.isArray(structured)) {
    throw new TypeError('structuredContent must be a JSON object');
  }
  return {
    content: content ? content.map(block) : [{ type: 'text', text }],
    ...(structuredContent && { structuredContent: { ...structured } }),
    ...(isError === true && { isError: true }),
  };
}

/** An answer that says what went wrong. */
export function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

const texts = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
} as const satisfies Record<ToolContent['type'], readonly string[]>;

function block(part: ToolContent): ContentBlock {
  const needed = Object.hasOwn(texts, part.type) ? texts[part.type] : undefined;
  if (!needed?.every((name) => typeof Reflect.get(part, name) === 'string')) {
    throw new TypeError(`content must be text, images, audio and resource links, not ${JSON.stringify(part)}`);
  }
  return { ...part };
}
