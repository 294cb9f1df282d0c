import type { GraphQLSchema } from 'graphql';
import type { Context } from 'koa';
import { sendBearerError, verifyBearerToken } from '../../core/bearer/guard.ts';
import type { PluginServices } from '../../plugin-contract/plugin.ts';
import { exposingNonce } from '../../http/cors.ts';
import { koaRequest } from '../../http/received-request.ts';
import type { Route, RouteCall } from '../../http/route.ts';
import { sendDocument, setHeaders, textDocument } from '../../http/send.ts';
import { InvalidRequest, InvalidToken, OAuthError } from '../../kernel/errors.ts';
import { paths } from '../../http/paths.ts';
import { LazySignal } from '../../kernel/timeout.ts';
import { Deadline } from '../request/deadline.ts';
import { createOperations, type Operations } from '../preparation/operations.ts';
import { createPipeline, type Pipeline } from '../preparation/pipeline.ts';
import type { CallContext } from '../request/host-calls.ts';
import type { MemberApiSettings } from '../options.ts';
import { createPluginServer, type PluginServer } from '../plugins/server.ts';
import { guardResolvers } from '../scopes/guard-resolvers.ts';
import type { FieldScopes } from '../scopes/guarded-fields.ts';
import { graphiqlPage, landingPage } from './browser-pages.ts';
import { readBody, readParameters } from '../request/parameters.ts';
import { type ResultType, resultType, sendProblem, sendResult } from '../request/response.ts';

interface MemberRouteOptions {
  readonly services: PluginServices;
  readonly settings: MemberApiSettings;
  readonly schema: GraphQLSchema;
  /** The text of its built-in part. */
  readonly builtIn: string;
  readonly scopesOf: FieldScopes;
}

/** The Member API, its schema if introspection is enabled, and pages for browsers. Specification: Member API. */
export function memberRoutes(options: MemberRouteOptions): Route[] {
  const { services, settings, schema, builtIn, scopesOf } = options;
  const { limits, introspection, plugins, typeDefs = [] } = settings;
  guardResolvers(schema, scopesOf);
  const operations = createOperations({ schema, scopesOf, limits, introspection });
  const serve =
    plugins.length > 0
      ? throughPlugins(createPluginServer({ plugins, schema, operations, introspection }))
      : directly(createPipeline({ operations, introspection, onFault: services.onFault }));
  const page = graphiqlPage(settings);
  const endpoint: Route = {
    path: paths.memberGraphql,
    methods: page ? ['GET', 'POST'] : ['POST'],
    kind: 'api',
    handle: (call) => (call.ctx.method === 'POST' ? respond(options, operations, serve, call) : refuseApp()),
    browserPage: page,
  };
  const sdl = textDocument('text/plain; charset=utf-8', [builtIn, typeDefs].flat().join('\n'));
  const published: Route = {
    path: paths.memberSchema,
    methods: ['GET'],
    kind: 'static',
    handle: ({ ctx }) => sendDocument(ctx, sdl),
  };
  return [endpoint, ...(introspection ? [published] : []), ...landingPage(settings, schema)];
}

/** What is not a browser may send no operation with GET: that would run it from a link. */
function refuseApp(): never {
  throw new InvalidRequest('send operations with POST; GET only serves a page to browsers', { status: 406 });
}

/** Reads a request and responds to it. `start` begins its time. */
type Serve = (ctx: Context, type: ResultType, start: () => CallContext) => Promise<void>;

function directly(pipeline: Pipeline): Serve {
  return async (ctx, type, start) => {
    const parameters = await readParameters(ctx);
    const context = start();
    try {
      sendResult(ctx, await context.deadline.around(pipeline(parameters, context)), type);
    } finally {
      context.deadline.settle();
    }
  };
}

function throughPlugins(server: PluginServer): Serve {
  return async (ctx, type, start) => {
    const body = await readBody(ctx);
    const context = start();
    try {
      const send = await context.deadline.around(server({ headers: ctx.req.headers, body, type, context }));
      send(ctx);
    } finally {
      context.deadline.settle();
    }
  };
}

/** The token is verified before the request is read, so a caller without one learns nothing about its request. */
async function respond(
  { services, settings }: MemberRouteOptions,
  operations: Operations,
  serve: Serve,
  { ctx, site }: RouteCall,
): Promise<void> {
  const { bearer, seesEmail, quotas, onFault } = services;
  try {
    const { token, headers } = await verifyBearerToken(bearer, koaRequest(ctx), site);
    if (!token) return;
    setHeaders(ctx, exposingNonce(headers));
    quotas.member(token);
    await serve(ctx, resultType(ctx), () => {
      const deadline = new Deadline(ctx.res, settings.timeout, onFault);
      const shared = { viewer: token.member, site, token, data: settings.data ?? {}, deadline, onFault };
      const parts = { ...shared, seesEmail: () => seesEmail(token) };
      return Object.assign(new LazySignal(deadline), parts);
    });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (error instanceof InvalidRequest) return sendProblem(ctx, error);
    // An invalid token's client learns which scopes the request requires, so that it can request them at once.
    const scopes = error instanceof InvalidToken ? await scopesWanted(operations, ctx) : undefined;
    sendBearerError(bearer, ctx, site, error, { resourcePath: paths.memberGraphql, scopes });
  }
}

async function scopesWanted(operations: Operations, ctx: Context): Promise<readonly string[]> {
  try {
    return operations.scopesOf(await readParameters(ctx));
  } catch (error) {
    if (error instanceof InvalidRequest) return [];
    throw error;
  }
}
