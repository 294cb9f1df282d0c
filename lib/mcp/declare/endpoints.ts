import type { McpEndpoint } from '../../contracts/plugin.ts';
import type { ClientAudience } from '../../contracts/client.ts';
import { optionError } from '../../protocol/validate.ts';
import { paths } from '../../protocol/paths.ts';
import { protectedResource } from '../../protocol/protected-resources.ts';
import type { ScopeCatalogue } from '../../protocol/scopes.ts';
import type { McpSettings } from './options.ts';
import { isReachable } from './tool-checks.ts';
import type { ToolTable } from './tool-table.ts';

type EndpointPaths = Pick<McpSettings, 'operatorPath' | 'memberPath'>;

/** @throws TypeError if two addresses of the tools are the same */
export function checkEndpointPaths({ operatorPath, memberPath }: EndpointPaths): void {
  for (const [option, path, other] of [
    ['mcp.operatorPath', operatorPath, paths.mcp],
    ['mcp.memberPath', memberPath, paths.mcp],
    ['mcp.memberPath', memberPath, operatorPath],
  ] as const) {
    if (path !== undefined && path === other)
      throw optionError(option, `differ from ${other}, another address of the tools`);
  }
}

/**
 * The addresses of the tools. Most clients sign in only if their first request gets 401, and request only what that
 * challenge or the metadata lists; `/mcp` serves anonymous requests, so each audience has an address that does not.
 */
export function mcpEndpoints(
  tools: ToolTable,
  { anonymous, operatorPath, memberPath }: EndpointPaths & Pick<McpSettings, 'anonymous'>,
  catalogue: ScopeCatalogue,
): readonly McpEndpoint[] {
  const at = (path: string, audience: ClientAudience, open: boolean): McpEndpoint => ({
    ...protectedResource(catalogue, path, scopesFor(tools, audience, catalogue)),
    audience,
    anonymous: open,
  });
  return [
    at(paths.mcp, 'operator', anonymous),
    ...(operatorPath === undefined ? [] : [at(operatorPath, 'operator', false)]),
    ...(memberPath === undefined ? [] : [at(memberPath, 'member', false)]),
  ];
}

/** The scopes of all tools and actions that a client of this audience can have. */
function scopesFor(tools: ToolTable, audience: ClientAudience, catalogue: ScopeCatalogue): string[] {
  return [...tools.values()].flatMap(({ tool: { access } }) => {
    if (access === 'public' || !isReachable(access.scopes, audience, catalogue)) return [];
    const actions = Object.values(access.actions?.scopes ?? {}).filter((scopes) =>
      isReachable(scopes, audience, catalogue),
    );
    return [...access.scopes, ...actions.flat()];
  });
}
