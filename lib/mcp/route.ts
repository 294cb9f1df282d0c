import type { Context } from 'koa';
import { sendChallenge } from '../bearer/challenge.ts';
import { accessOf } from '../bearer/guard.ts';
import type { Verify } from '../bearer/verify.ts';
import type { Access } from '../contracts/access.ts';
import type { Site } from '../contracts/member.ts';
import { OAuthError } from '../errors.ts';
import type { Route } from '../http/route.ts';
import type { Limiter, TokenLimiter } from '../limits.ts';
import { paths } from '../paths.ts';
import { addInBandChallenge } from './in-band.ts';
import { type PreparedCall, prepareCall } from './prepare.ts';
import { readMessage, RpcProblem, sendRpcProblem } from './rpc-error.ts';
import { sendWebResponse, webRequest, type Serve } from './serve.ts';
import type { ToolTable } from './tool-table.ts';

/** A request that may be served. */
export interface Exchange {
  readonly site: Site;
  /** Absent for an anonymous request. */
  readonly access: Access | undefined;
  /** The call of a tool that it makes, if it makes one. */
  readonly call: PreparedCall | undefined;
  /** Aborted when the caller has gone. */
  readonly gone: AbortSignal;
}

/** What the tool endpoint rests on. */
export interface McpRouteOptions {
  readonly tools: ToolTable;
  readonly verify: Verify;
  /** Counts requests without a token, and those with one. */
  readonly limits: { readonly anonymous: Limiter; readonly token: TokenLimiter };
  /** See `McpOptions.origins`. */
  readonly origins: readonly string[];
  /** Answers what may be answered. */
  readonly serve: (exchange: Exchange) => Serve;
}

/**
 * The tool endpoint. What a request may do is decided here, on HTTP, before any MCP server sees it; a token that is no
 * good is refused whatever was asked for. Specification: Tool endpoint; Anonymous and missing tokens; Errors.
 */
export function mcpRoute(options: McpRouteOptions): Route {
  return {
    path: paths.mcp,
    methods: ['POST'],
    kind: 'api',
    origins: options.origins,
    handle: async ({ ctx, site }) => {
      const read = await readMessage(ctx);
      const message = read instanceof RpcProblem ? undefined : read.message;
      const call = await prepareCall(options.tools, message);
      try {
        const access = await accessFor(options, ctx, site, call);
        if (read instanceof RpcProblem) return sendRpcProblem(ctx, read);
        await (access ? options.limits.token(site.id, access) : options.limits.anonymous(ctx, site.id));
        const serve = options.serve({ site, access, call, gone: goneSignal(ctx) });
        await sendWebResponse(ctx, await serve(webRequest(ctx, `${site.origin}${paths.mcp}`), message));
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        sendChallenge(ctx, site, error, scopesOf(call));
        if (call) addInBandChallenge(ctx, message);
      }
    },
  };
}

function accessFor(
  { verify }: McpRouteOptions,
  ctx: Context,
  site: Site,
  call: PreparedCall | undefined,
): Promise<Access | undefined> {
  return accessOf(verify, ctx, site, { scopes: scopesOf(call), anonymous: !call || call.needs === 'public' });
}

function scopesOf(call: PreparedCall | undefined): readonly string[] {
  return !call || call.needs === 'public' ? [] : call.needs;
}

function goneSignal(ctx: Context): AbortSignal {
  const controller = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) controller.abort(new Error('the caller has gone'));
  });
  return controller.signal;
}
