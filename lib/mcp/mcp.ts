import type { ClientAudience, PersonAudience } from '../core/clients/client.ts';
import type { McpEndpoint, McpPlugin, ToolDescription } from '../plugin-contract/plugin.ts';
import type { Member, Site } from '../host/school-platform.ts';
import type { ScopedTool, Tool } from '../plugin-contract/tools.ts';
import type { Fixed } from '../host/school-platform.ts';
import type { OnFault } from '../observe/events.ts';
import { paths } from '../http/paths.ts';
import { protectedResource } from '../core/scopes/protected-resources.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import { readOptions } from '../kernel/validate.ts';
import { type McpOptions, mcpSchema, type McpSettings } from './declare/options.ts';
import {
  type CheckedTool,
  checkAccessOf,
  isReachable,
  readTools,
  audiencesOf,
  type ToolTable,
} from './declare/tool-table.ts';
import { portabilityProblems } from './declare/portable-schema.ts';
import { mcpRoute, type ToolServer } from './serve/route.ts';
import { loadServers } from './load-servers.ts';

/**
 * Creates the tool endpoint, `/mcp`, `/mcp/operator` and `/mcp/member`. Pass the result to `createCampus`. Specification: Tool endpoint.
 *
 * @throws TypeError that names what is wrong, for example `mcp.tools[0].name must be unique; "search" is duplicated`; `createCampus` throws
 * one for an unknown scope
 */
export function mcp<School extends Site = Site, Person extends Member = Member>(
  options?: McpOptions<School, Person>,
): McpPlugin<School, Person>;
// Inside, a school is a `Site`: the campus passes each tool what its platform has returned.
export function mcp(options: McpOptions = {}): McpPlugin {
  const settings = readOptions(mcpSchema, options, 'mcp');
  const tools = readTools(settings.tools);
  return {
    name: 'mcp',
    mount: ({ bearer, quotas, onFault, onAudit, catalogue, boundaries }) => {
      const { origins, toolTimeout } = settings;
      checkAccessOf(tools, catalogue, boundaries);
      const endpoints = endpointsOf(tools, settings, catalogue);
      // Loaded now: nothing handles a failure before the first request, so a process without the SDK ends here, as with any missing import.
      const loading = loadServers();
      const described = [...tools.values()].map(describe);
      // By then the host listens to faults.
      void loading.then(() => described.forEach((tool) => reportPortability(tool, onFault)));
      return {
        routes: endpoints.map((endpoint) => {
          const servers = loading.then(({ toolServers }) =>
            toolServers(endpoint, tools, catalogue, { onFault, onAudit }),
          );
          const server: ToolServer = {
            serve: async (exchange) => (await servers).serve(exchange),
            plainResult: async (exchange, request) => (await servers).plainResult(exchange, request),
          };
          return mcpRoute(endpoint, { bearer, quotas, onAudit, tools, server, origins, toolTimeout });
        }),
        resources: endpoints,
        description: { endpoints, tools: described },
      };
    },
  };
}

/** Returns the given tool, and types `run`: its arguments from the Standard Schema, or as `Args` for a JSON Schema, and its tokens. */
export function defineTool<
  Args = Readonly<Record<string, unknown>>,
  A extends ClientAudience = PersonAudience,
  School extends Site = Site,
  Person extends Member = Member,
>(tool: ScopedTool<Args, A, School, Person>): Tool<Fixed<Args>, Fixed<A>, School, Person>;
/** A tool that anyone may call: without a token, `access` is `undefined`. */
export function defineTool<
  Args = Readonly<Record<string, unknown>>,
  A extends ClientAudience = PersonAudience,
  School extends Site = Site,
  Person extends Member = Member,
>(tool: Tool<Args, A, School, Person>): Tool<Fixed<Args>, Fixed<A>, School, Person>;
export function defineTool<Args, A extends ClientAudience>(tool: Tool<Args, A>): Tool<Args, A> {
  return tool;
}

function describe({ tool: { name, title, description, access }, input }: CheckedTool): ToolDescription {
  const portability = [...portabilityProblems(input.jsonSchema)];
  return { name, title, description, access, inputSchema: input.jsonSchema, portability };
}

/** Told at the start, since the apps that drop such a tool say nothing. */
function reportPortability({ name, portability }: ToolDescription, onFault: OnFault): void {
  for (const problem of portability) {
    onFault(`apps may drop the tool ${name}`, new TypeError(`its inputSchema has ${problem}`));
  }
}

/**
 * The addresses of the tools. Most clients sign in only if their first request gets 401, and request only what that
 * challenge or the metadata lists; `/mcp` serves anonymous requests, so each audience has an address that does not.
 */
function endpointsOf(tools: ToolTable, settings: McpSettings, catalogue: ScopeCatalogue): readonly McpEndpoint[] {
  const { anonymous, operatorPath, memberPath } = settings;
  const at = (path: string | undefined, audience: PersonAudience, open = false): McpEndpoint[] => {
    if (path === undefined) return [];
    const scopes = scopesFor(tools, audience, catalogue);
    return [{ ...protectedResource(catalogue, path, scopes), atSlash: true, audience, anonymous: open }];
  };
  return [...at(paths.mcp, 'operator', anonymous), ...at(operatorPath, 'operator'), ...at(memberPath, 'member')];
}

/** The scopes of all tools and actions that a client of this audience can have. */
function scopesFor(tools: ToolTable, audience: ClientAudience, catalogue: ScopeCatalogue): string[] {
  return [...tools.values()].flatMap(({ tool: { access } }) => {
    if (access === 'public' || !audiencesOf(access).includes(audience)) return [];
    if (!isReachable(access.scopes, audience, catalogue)) return [];
    const actions = Object.values(access.actions?.scopes ?? {});
    return [...access.scopes, ...actions.filter((scopes) => isReachable(scopes, audience, catalogue)).flat()];
  });
}
