import type { Context } from 'koa';
import { sendBearerError } from '../../bearer/challenge.ts';
import { missingToken, requireScopes, verifyBearerToken } from '../../bearer/guard.ts';
import type { Access } from '../../contracts/client.ts';
import type { Site } from '../../contracts/member.ts';
import type { McpEndpoint, PluginServices } from '../../contracts/plugin.ts';
import type { Route } from '../../contracts/route.ts';
import { InsufficientScope, OAuthError } from '../../protocol/errors.ts';
import { auditTool } from '../call/run-tool.ts';
import { startCallTimeLimit } from '../call/time-limit.ts';
import { type PreparedCall, prepareCall, type ToolRequest, toolRequest } from '../call/tool-call.ts';
import type { McpSettings } from '../declare/options.ts';
import type { ToolTable } from '../declare/tool-table.ts';
import { addInBandChallenge, isReadFirst, readMessage, type RpcProblem, sendRpcProblem } from './json-rpc.ts';
import { type PlainRequest, plainRequest, sendPlainResult } from './plain-request.ts';
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
  extends Pick<PluginServices, 'verify' | 'quotas' | 'onAudit'>, Pick<McpSettings, 'origins' | 'toolTimeout'> {
  readonly tools: ToolTable;
  readonly serve: (exchange: Exchange) => Serve;
  /** The results of plain requests as JSON; `undefined` for those that `serve` responds to. @default serve responds to all */
  readonly plainResult?: (exchange: Exchange, request: PlainRequest) => string | Promise<string> | undefined;
}

/**
 * An address of the tools. Access is decided here, with HTTP status codes, before an MCP server sees the request: the token, the
 * tool's scopes, the quota, and last, with checked arguments, the scopes of the action. So a caller without access to the
 * tool cannot make the platform do any work. A large message, or one from where many were refused, is read only after token and
 * quota, then the same order applies.
 * Specification: Tool endpoint; Anonymous and missing tokens; Errors.
 */
export function mcpRoute(endpoint: McpEndpoint, options: McpRouteOptions): Route {
  const { path, anonymous } = endpoint;
  const { tools, verify, quotas, onAudit, origins, toolTimeout, serve, plainResult } = options;
  return {
    path,
    methods: ['POST'],
    kind: 'api',
    origins,
    handle: async ({ ctx, site }) => {
      let received = isReadFirst(ctx) && !quotas.refusals.isUsedUp(ctx) ? await receive(ctx, tools) : undefined;
      let isCounted = false;
      let access: Access | undefined;
      try {
        access = await verifyBearerToken(verify, ctx, site, { anonymous });
        if (received) checkAccess(access, received.request);
        if (!received?.problem) {
          await (access ? quotas.token(site.id, access) : quotas.anonymous(ctx, site.id));
          isCounted = true;
        }
        if (!received) {
          received = await receive(ctx, tools);
          checkAccess(access, received.request);
        }
        const { message, problem, request } = received;
        if (problem) {
          if (!isCounted) quotas.refusals.count(ctx);
          return sendRpcProblem(ctx, problem);
        }
        const time = request && startCallTimeLimit(ctx.res, request.tool.tool.name, toolTimeout);
        const call = request && time && (await prepareCall(request, time));
        if (access && call) requireScopes(access, call.scopes);
        const exchange = { site, access, call };
        const plain = plainResult && plainRequest(ctx, message);
        const result = plain && (await plainResult(exchange, plain));
        if (plain && result !== undefined) return sendPlainResult(ctx, plain, result);
        const respond = serve(exchange);
        await sendWebResponse(ctx, await respond(webRequest(ctx, `${site.origin}${path}`), message));
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        if (received && !isCounted) quotas.refusals.count(ctx);
        if (error instanceof InsufficientScope && received?.request) {
          auditTool(onAudit, { site, access }, received.request.tool.tool.name, 'refused');
        }
        // Where every request needs a token, a client signs in once, for all tools.
        const scopes = anonymous ? received?.request?.likelyScopes : endpoint.scopes;
        sendBearerError(ctx, site, error, { resourcePath: path, scopes });
        if (received?.request) addInBandChallenge(ctx, received.message);
      }
    },
  };
}

interface Received {
  readonly message: unknown;
  readonly problem?: RpcProblem;
  /** Absent if the message does not call a tool. */
  readonly request: ToolRequest | undefined;
}

async function receive(ctx: Context, tools: ToolTable): Promise<Received> {
  const read = await readMessage(ctx);
  const message = 'problem' in read ? undefined : read.message;
  return { ...read, message, request: toolRequest(tools, message) };
}

/** @throws InvalidToken, InsufficientScope */
function checkAccess(access: Access | undefined, request: ToolRequest | undefined): void {
  if (!request) return;
  if (!access && request.tool.tool.access !== 'public') throw missingToken();
  // A token that lacks a scope of the tool is also told the scopes of the action.
  const lacksScope = request.scopes.some((scope) => !access?.scopes.includes(scope));
  if (access && lacksScope) requireScopes(access, request.likelyScopes);
}
