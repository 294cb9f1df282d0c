import type { Context } from 'koa';
import {
  accepting,
  missingToken,
  requireAuthentication,
  requireScopes,
  sendBearerError,
  verifyBearerToken,
} from '../../core/bearer/guard.ts';
import type { BearerAuth } from '../../core/bearer/bearer-auth.ts';
import { type TokenOf, allAudiences, type ClientAudience } from '../../core/clients/client.ts';
import type { Site } from '../../host/school-platform.ts';
import type { McpEndpoint } from '../../plugin-contract/plugin.ts';
import { exposingNonce } from '../../http/cors.ts';
import { koaRequest } from '../../http/received-request.ts';
import type { Route } from '../../http/route.ts';
import { setHeaders } from '../../http/send.ts';
import { InsufficientScope, OAuthError } from '../../kernel/errors.ts';
import type { ToolTable } from '../declare/tool-table.ts';
import {
  addInBandChallenge,
  callsOf,
  errorCodeOf,
  isReadFirst,
  readMessage,
  type RpcMessage,
  RpcProblem,
  sendRpcProblem,
} from './json-rpc.ts';
import { type PlainRequest, plainRequest, sendPlainResult } from './plain-request.ts';
import { auditMessage, auditTool } from './audit-tool.ts';
import type { Serve } from './serve.ts';
import { sendWebResponse, webRequest } from './web-request.ts';
import { type PreparedCall, prepareCall, startCallTimeLimit, type ToolRequest, toolRequest } from './tool-call.ts';
import type { ToolQuotas } from '../../core/limits/call-quotas.ts';
import type { OnAudit } from '../../observe/audit-event.ts';

/** A request on its way through the steps. */
export interface Exchange {
  readonly ctx: Context;
  readonly site: Site;
  /** Absent for an anonymous request. */
  token?: TokenOf<ClientAudience> | undefined;
  received?: Received;
  /** As how many calls it was counted. */
  charged: number;
  /** Absent if the request does not call a tool. */
  call?: PreparedCall;
}

type Step = (exchange: Exchange) => void | Promise<void>;

/** What answers a request that may be served. */
export interface ToolServer {
  readonly serve: (exchange: Exchange) => Serve | Promise<Serve>;
  /** The results of plain requests as JSON; `undefined` for those that `serve` responds to. */
  readonly plainResult: (exchange: Exchange, request: PlainRequest) => Promise<string | undefined>;
}

export interface McpRouteOptions {
  readonly bearer: BearerAuth;
  readonly quotas: ToolQuotas;
  readonly onAudit: OnAudit;
  readonly tools: ToolTable;
  readonly server: ToolServer;
  /** Web pages of these origins may call the tools. */
  readonly origins: readonly string[];
  /** In seconds. */
  readonly toolTimeout: number;
}

/**
 * An address of the tools. Access is decided here, with HTTP status codes, before an MCP server sees the request: the token, the
 * tool's scopes, the quota, and last, with checked arguments, the scopes of the action. So a caller without access to the
 * tool cannot make the platform do any work. Specification: Tool endpoint; Anonymous and missing tokens; Errors.
 */
export function mcpRoute(endpoint: McpEndpoint, options: McpRouteOptions): Route {
  const { path, atSlash, anonymous, audience, scopes } = endpoint;
  const { bearer, quotas, origins } = options;
  const { authenticate, count, read, authorize, prepare, respond } = stepsOf(endpoint, options);
  // A refusal can name the scopes of the tool, and is not counted as a call.
  const readFirst: readonly Step[] = [read, authenticate, authorize, count, prepare, respond];
  // A large message, or one from where many were refused, is read only for callers within their quota. Its size may be known then.
  const countedFirst: readonly Step[] = [authenticate, count, read, count, authorize, prepare, respond];
  return {
    path,
    atSlash,
    methods: ['POST'],
    kind: 'api',
    origins,
    handle: async ({ ctx, site }) => {
      const exchange: Exchange = { ctx, site, charged: 0 };
      const steps = isReadFirst(ctx) && !quotas.refusals.isUsedUp(ctx, site) ? readFirst : countedFirst;
      try {
        for (const step of steps) {
          const pending = step(exchange);
          if (pending) await pending;
        }
      } catch (error) {
        refuse(endpoint, options, exchange, error);
      }
    },
    ...(!anonymous && {
      challenge: ({ ctx, site }) => {
        const error = missingToken(audience === 'member' ? forMembers : undefined);
        sendBearerError(bearer, ctx, site, error, { resourcePath: ctx.path, scopes });
      },
    }),
  };
}

const forMembers =
  'this address is for applications that the school has created for its members; apps that register themselves act for operators only';

type StepName = 'authenticate' | 'count' | 'read' | 'authorize' | 'prepare' | 'respond';

/** Each throws an `OAuthError` or an `RpcProblem` for a request that goes no further. */
function stepsOf({ anonymous, audience }: McpEndpoint, options: McpRouteOptions): Readonly<Record<StepName, Step>> {
  const { tools, bearer, quotas, toolTimeout, server, onAudit } = options;
  return {
    async authenticate(exchange) {
      const { ctx, site } = exchange;
      const { token, headers } = await verifyBearerToken(bearer, koaRequest(ctx), site, {
        anonymous,
        audience: allAudiences,
        ...(audience === 'member' && { whose: forMembers }),
      });
      exchange.token = token;
      setHeaders(ctx, exposingNonce(headers));
    },
    async count(exchange) {
      const { ctx, site, token, received, charged } = exchange;
      const calls = (received?.calls ?? callsOf(ctx)) - charged;
      if (calls <= 0) return;
      await (token ? quotas.token(token, calls) : quotas.anonymous(ctx, site, calls));
      exchange.charged += calls;
    },
    async read(exchange) {
      const read = await readMessage(exchange.ctx);
      exchange.received =
        read instanceof RpcProblem ? { problem: read } : { ...read, request: toolRequest(tools, read.message) };
    },
    authorize(exchange) {
      const { received } = exchange;
      if (received?.problem) throw received.problem;
      const request = received?.request;
      if (!request) return;
      const { access: demanded } = request.tool.tool;
      if (demanded === 'public') return;
      if (!exchange.token) throw missingToken();
      const token = accepting(exchange.token, demanded);
      exchange.token = token;
      // A token that lacks a scope of the tool is also told the scopes of the action.
      const lacksScope = request.scopes.some((scope) => !token.scopes.includes(scope));
      if (lacksScope) requireScopes(token, request.likelyScopes);
      requireAuthentication(token, demanded);
    },
    async prepare(exchange) {
      const { ctx, token, received } = exchange;
      if (!received?.request) return;
      const time = startCallTimeLimit(ctx.res, received.request.tool.tool.name, toolTimeout);
      exchange.call = await prepareCall(received.request, time);
      if (token) requireScopes(token, exchange.call.scopes);
    },
    async respond(exchange) {
      const { ctx, site, token, received } = exchange;
      const plain = plainRequest(ctx, received?.message);
      const result = plain && (await server.plainResult(exchange, plain));
      if (plain && result !== undefined) return sendPlainResult(ctx, plain, result);
      const send = await server.serve(exchange);
      await sendWebResponse(ctx, await send(webRequest(ctx, `${site.origin}${ctx.path}`), received?.message));
      const code = errorCodeOf(ctx.body);
      if (code !== undefined) auditMessage(onAudit, { site, token }, code);
    },
  };
}

interface Received extends Partial<RpcMessage> {
  readonly problem?: RpcProblem;
  /** Absent if the message does not call a tool. */
  readonly request?: ToolRequest | undefined;
}

function refuse(
  { anonymous, scopes }: McpEndpoint,
  { bearer, quotas, onAudit }: McpRouteOptions,
  { ctx, site, token, received, charged }: Exchange,
  error: unknown,
): void {
  if (!(error instanceof OAuthError || error instanceof RpcProblem)) throw error;
  if (received && charged === 0) quotas.refusals.count(ctx, site, callsOf(ctx));
  if (error instanceof RpcProblem) {
    auditMessage(onAudit, { site, token }, error.code);
    return sendRpcProblem(ctx, error);
  }
  const request = received?.request;
  if (error instanceof InsufficientScope && request) {
    auditTool(onAudit, { site, token }, request.tool.tool.name, 'refused');
  }
  // Where every request needs a token, a client signs in once, for all tools.
  const wanted = anonymous ? request?.likelyScopes : scopes;
  sendBearerError(bearer, ctx, site, error, { resourcePath: ctx.path, scopes: wanted });
  if (request) addInBandChallenge(ctx, received?.message);
}
