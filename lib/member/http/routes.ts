import type { GraphQLSchema } from 'graphql';
import { renderGraphiQL } from 'graphql-yoga';
import type { Context } from 'koa';
import { sendBearerError, verifyBearerToken } from '../../bearer/guard.ts';
import type { Access } from '../../contracts/client.ts';
import type { PluginQuotas, PluginServices } from '../../contracts/plugin.ts';
import type { Route, RouteCall } from '../../contracts/route.ts';
import { sendDocument, textDocument } from '../../http/send.ts';
import { InvalidRequest, InvalidToken, OAuthError } from '../../protocol/errors.ts';
import { paths } from '../../protocol/paths.ts';
import { LazySignal } from '../../runtime/timeout.ts';
import { Deadline } from '../execution/deadline.ts';
import { createPipeline, type Pipeline } from '../execution/pipeline.ts';
import type { CallContext } from '../execution/query-host.ts';
import type { MemberApiSettings } from '../options.ts';
import { memberSchema } from '../schema/sdl.ts';
import type { FieldScopes } from '../scopes/guarded-fields.ts';
import { readParameters } from './parameters.ts';
import { resultType, sendProblem, sendResult } from './response.ts';

interface MemberRouteOptions extends Pick<PluginServices, 'verify' | 'onFault'> {
  readonly quotas: Pick<PluginQuotas, 'member'>;
  readonly settings: MemberApiSettings;
  readonly schema: GraphQLSchema;
  readonly scopesOf: FieldScopes;
}

/** The Member API and, if introspection is enabled, its schema. Specification: Member API. */
export function memberRoutes(options: MemberRouteOptions): Route[] {
  const { settings, schema, scopesOf, onFault } = options;
  const { limits, introspection, graphiql, typeDefs = [] } = settings;
  const pipeline = createPipeline({ schema, scopesOf, limits, introspection, onFault });
  const endpoint: Route = {
    path: paths.memberGraphql,
    methods: graphiql ? ['GET', 'POST'] : ['POST'],
    kind: 'api',
    handle: (call) => (call.ctx.method === 'POST' ? respond(options, pipeline, call) : sendGraphiql(call.ctx)),
  };
  if (!introspection) return [endpoint];
  const sdl = textDocument('text/plain; charset=utf-8', [memberSchema, typeDefs].flat().join('\n'));
  return [
    endpoint,
    { path: paths.memberSchema, methods: ['GET'], kind: 'static', handle: ({ ctx }) => sendDocument(ctx, sdl) },
  ];
}

/** The token is verified before the request is read, so a caller without one learns nothing about its request. */
async function respond(options: MemberRouteOptions, pipeline: Pipeline, call: RouteCall): Promise<void> {
  const { ctx, site } = call;
  try {
    const access = await verifyBearerToken(options.verify, ctx, site);
    if (!access) return;
    options.quotas.member(access);
    await run(options, pipeline, call, access);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (error instanceof InvalidRequest) return sendProblem(ctx, error);
    // An invalid token's client learns which scopes the request requires, so that it can request them at once.
    const scopes = error instanceof InvalidToken ? await scopesWanted(pipeline, ctx) : undefined;
    sendBearerError(ctx, site, error, { resourcePath: paths.memberGraphql, scopes });
  }
}

async function run(
  { settings, onFault }: MemberRouteOptions,
  pipeline: Pipeline,
  { ctx, site }: RouteCall,
  access: Access,
): Promise<void> {
  const type = resultType(ctx);
  const parameters = await readParameters(ctx);
  const deadline = new Deadline(ctx.res, settings.timeout, onFault);
  const parts = { viewer: access.member, site, access, data: settings.data, deadline, onFault };
  const context: CallContext = Object.assign(new LazySignal(deadline), parts);
  try {
    sendResult(ctx, await deadline.around(pipeline.run(parameters, context)), type);
  } finally {
    deadline.settle();
  }
}

async function scopesWanted(pipeline: Pipeline, ctx: Context): Promise<readonly string[]> {
  try {
    return pipeline.scopesOf(await readParameters(ctx));
  } catch (error) {
    if (error instanceof InvalidRequest) return [];
    throw error;
  }
}

function sendGraphiql(ctx: Context): void {
  ctx.type = 'html';
  ctx.body = renderGraphiQL({ title: 'Member API', endpoint: paths.memberGraphql });
}
