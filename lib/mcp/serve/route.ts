import { sendBearerError } from '../../bearer/challenge.ts';
import { verifyBearerToken, requireScopes } from '../../bearer/guard.ts';
import type { Access, VerifyAccess } from '../../contracts/client.ts';
import type { Site } from '../../contracts/member.ts';
import type { PluginQuotas } from '../../contracts/plugin.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { Route } from '../../contracts/route.ts';
import { paths } from '../../protocol/paths.ts';
import { startCallTimeLimit } from '../call/time-limit.ts';
import { addInBandChallenge } from '../call/in-band.ts';
import { type PreparedCall, prepareCall } from '../call/prepare.ts';
import { readMessage, RpcProblem, sendRpcProblem } from './rpc-error.ts';
import { sendWebResponse, webRequest, type Serve } from './serve.ts';
import { type ToolRequest, toolRequest } from '../call/tool-request.ts';
import type { ToolTable } from '../declare/tool-table.ts';

/** A request that may be served. */
export interface Exchange {
  readonly site: Site;
  /** Absent for an anonymous request. */
  readonly access: Access | undefined;
  /** The call of a tool that it makes, if it makes one. */
  readonly call: PreparedCall | undefined;
}

/** What the tool endpoint rests on. */
export interface McpRouteOptions {
  readonly tools: ToolTable;
  readonly verify: VerifyAccess;
  readonly quotas: PluginQuotas;
  /** See `McpOptions.origins`. */
  readonly origins: readonly string[];
  /** Seconds; see `McpOptions.toolTimeout`. */
  readonly toolTimeout: number;
  /** Answers what may be answered. */
  readonly serve: (exchange: Exchange) => Serve;
}

/**
 * The tool endpoint. What a request may do is decided here, on HTTP, before any MCP server sees it: who it is, whether the
 * tool is open to them, whether they may go on, and last, with arguments that have been checked, whether they may do just
 * this. So nobody whom the tool is closed to makes the host work. Specification: Tool endpoint; Anonymous and missing
 * tokens; Errors.
 */
export function mcpRoute(options: McpRouteOptions): Route {
  const { tools, verify, quotas, origins, toolTimeout, serve } = options;
  return {
    path: paths.mcp,
    methods: ['POST'],
    kind: 'api',
    origins,
    handle: async ({ ctx, site }) => {
      const read = await readMessage(ctx);
      const message = read instanceof RpcProblem ? undefined : read.message;
      const request = toolRequest(tools, message);
      try {
        const access = await verifyBearerToken(verify, ctx, site, {
          anonymous: !request || request.tool.tool.access === 'public',
        });
        if (access && request) demandTool(access, request);
        if (read instanceof RpcProblem) return sendRpcProblem(ctx, read);
        await (access ? quotas.token(site.id, access) : quotas.anonymous(ctx, site.id));
        const time = request && startCallTimeLimit(ctx.res, request.tool.tool.name, toolTimeout);
        const call = request && time && (await prepareCall(request, time));
        if (access && call) requireScopes(access, call.scopes);
        const answer = serve({ site, access, call });
        await sendWebResponse(ctx, await answer(webRequest(ctx, `${site.origin}${paths.mcp}`), message));
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        sendBearerError(ctx, site, error, { resourcePath: paths.mcp, scopes: request?.likelyScopes });
        if (request) addInBandChallenge(ctx, message);
      }
    },
  };
}

/** Who lacks a scope of the tool hears of those of its action, too. */
function demandTool(access: Access, { scopes, likelyScopes }: ToolRequest): void {
  if (scopes.some((scope) => !access.scopes.includes(scope))) requireScopes(access, likelyScopes);
}
