import { sendBearerError } from '../../bearer/challenge.ts';
import { requireScopes, verifyBearerToken } from '../../bearer/guard.ts';
import type { Access } from '../../contracts/client.ts';
import type { Site } from '../../contracts/member.ts';
import type { McpEndpoint, PluginServices } from '../../contracts/plugin.ts';
import type { Route } from '../../contracts/route.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { startCallTimeLimit } from '../call/time-limit.ts';
import { type PreparedCall, prepareCall, toolRequest } from '../call/tool-call.ts';
import type { McpSettings } from '../declare/options.ts';
import type { ToolTable } from '../declare/tool-table.ts';
import { addInBandChallenge, readMessage, sendRpcProblem } from './json-rpc.ts';
import { sendWebResponse, type Serve, webRequest } from './serve.ts';

/** A request that has passed every check. */
export interface Exchange {
  readonly site: Site;
  /** Absent for an anonymous request. */
  readonly access: Access | undefined;
  /** Absent if the request does not call a tool. */
  readonly call: PreparedCall | undefined;
}

interface McpRouteOptions
  extends Pick<PluginServices, 'verify' | 'quotas'>, Pick<McpSettings, 'origins' | 'toolTimeout'> {
  readonly tools: ToolTable;
  readonly serve: (exchange: Exchange) => Serve;
}

/**
 * An address of the tools. Access is decided here, with HTTP status codes, before an MCP server sees the request: the token, the
 * tool's scopes, the quota, and last, with checked arguments, the scopes of the action. So a caller without access to the
 * tool cannot make the platform do any work. Specification: Tool endpoint; Anonymous and missing tokens; Errors.
 */
export function mcpRoute(endpoint: McpEndpoint, options: McpRouteOptions): Route {
  const { path, anonymous } = endpoint;
  const { tools, verify, quotas, origins, toolTimeout, serve } = options;
  return {
    path,
    methods: ['POST'],
    kind: 'api',
    origins,
    handle: async ({ ctx, site }) => {
      const read = await readMessage(ctx);
      const message = 'problem' in read ? undefined : read.message;
      const request = toolRequest(tools, message);
      try {
        const access = await verifyBearerToken(verify, ctx, site, {
          anonymous: anonymous && (!request || request.tool.tool.access === 'public'),
        });
        // A token that lacks a scope of the tool is also told the scopes of the action.
        const lacksScope = request?.scopes.some((scope) => !access?.scopes.includes(scope));
        if (access && request && lacksScope) requireScopes(access, request.likelyScopes);
        if ('problem' in read) return sendRpcProblem(ctx, read.problem);
        await (access ? quotas.token(site.id, access) : quotas.anonymous(ctx, site.id));
        const time = request && startCallTimeLimit(ctx.res, request.tool.tool.name, toolTimeout);
        const call = request && time && (await prepareCall(request, time));
        if (access && call) requireScopes(access, call.scopes);
        const respond = serve({ site, access, call });
        await sendWebResponse(ctx, await respond(webRequest(ctx, `${site.origin}${path}`), message));
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        // Where every request needs a token, a client signs in once, for all tools.
        const scopes = anonymous ? request?.likelyScopes : endpoint.scopes;
        sendBearerError(ctx, site, error, { resourcePath: path, scopes });
        if (request) addInBandChallenge(ctx, message);
      }
    },
  };
}
