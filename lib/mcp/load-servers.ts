import { installCommand } from './install-command.ts';

/** What serves tools with the SDK of MCP, which is an optional peer. */
type Servers = typeof import('./serve/tool-servers.ts');

/**
 * Loads what serves tools.
 *
 * @throws Error with the command that installs the SDK, if it is not installed
 */
export async function loadServers(): Promise<Servers> {
  try {
    return await import('./serve/tool-servers.ts');
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing || !cause.message.includes('@modelcontextprotocol/server')) throw cause;
    throw new Error(`campus-oidc/mcp needs the SDK of MCP: run \`${installCommand}\``, { cause });
  }
}
