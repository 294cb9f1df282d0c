import { isSpecType, type Tool as ListedTool } from '@modelcontextprotocol/server';
import type { JsonSchema, Tool, ToolAccess } from '../../contracts/tools.ts';
import { optionError } from '../../protocol/validate.ts';

/** How a client gets access to a tool. OpenAI Apps SDK. */
type SecurityScheme = { readonly type: 'noauth' } | { readonly type: 'oauth2'; readonly scopes: readonly string[] };

/**
 * A tool as `tools/list` shows it. Some clients drop unknown members, so `_meta` repeats them.
 *
 * @throws TypeError for a tool that MCP does not allow
 */
export function listedTool(tool: Tool<unknown>, inputSchema: JsonSchema, path: string): ListedTool {
  const { name, title, description, outputSchema, annotations, access } = tool;
  const securitySchemes = [securityScheme(access)];
  const listed = { name, title, description, inputSchema, outputSchema, annotations, securitySchemes };
  const shown: unknown = { ...structuredClone(listed), _meta: { securitySchemes } };
  if (!isSpecType.Tool(shown)) throw optionError(path, 'be a tool as MCP defines it');
  return shown;
}

function securityScheme(access: ToolAccess): SecurityScheme {
  return access === 'public' ? { type: 'noauth' } : { type: 'oauth2', scopes: [...access.scopes] };
}
