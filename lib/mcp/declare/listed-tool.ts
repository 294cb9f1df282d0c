import { isSpecType, type Tool as ListedTool } from '@modelcontextprotocol/server';
import type { JsonSchema, Tool, ToolAccess } from '../../contracts/tools.ts';
import { must } from '../../options/checks.ts';

/** How a tool is opened, for clients that look for it there (OpenAI Apps SDK). */
type SecurityScheme = { readonly type: 'noauth' } | { readonly type: 'oauth2'; readonly scopes: readonly string[] };

/**
 * A tool as `tools/list` shows it. Some clients drop members that they do not know, so `_meta` has them again.
 *
 * @throws TypeError for what MCP does not allow
 */
export function listedTool(tool: Tool<unknown>, inputSchema: JsonSchema, path: string): ListedTool {
  const { name, title, description, outputSchema, annotations, access } = tool;
  const securitySchemes = [securityScheme(access)];
  const listed = { name, title, description, inputSchema, outputSchema, annotations, securitySchemes };
  const shown: unknown = { ...structuredClone(listed), _meta: { securitySchemes } };
  must(isSpecType.Tool(shown), path, 'be a tool as MCP has it');
  return shown;
}

function securityScheme(access: ToolAccess): SecurityScheme {
  return access === 'public' ? { type: 'noauth' } : { type: 'oauth2', scopes: [...access.scopes] };
}
