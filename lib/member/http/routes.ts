import { renderGraphiQL } from 'graphql-yoga';
import type { Context } from 'koa';
import { sendBearerError } from '../../bearer/challenge.ts';
import { verifyBearerToken } from '../../bearer/guard.ts';
import type { Access, VerifyAccess } from '../../contracts/client.ts';
import type { Site } from '../../contracts/member.ts';
import { InvalidRequest, InvalidToken, OAuthError } from '../../protocol/errors.ts';
import type { OnFault } from '../../runtime/events.ts';
import type { HostMemberData } from '../host-data.ts';
import type { Route, RouteCall } from '../../contracts/route.ts';
import { sendDocument, textDocument } from '../../http/send.ts';
import type { MemberApiSettings } from '../options.ts';
import { paths } from '../../protocol/paths.ts';
import { resultType, sendProblem, sendResult } from './response.ts';
import { startDeadline } from '../execution/deadline.ts';
import { executableSchema } from '../schema/executable-schema.ts';
import { readParameters } from './parameters.ts';
import { createPipeline, type Pipeline } from '../execution/pipeline.ts';
import { memberSchema } from '../schema/sdl.ts';

/** What the Member API rests on. */
export interface MemberRouteOptions {
  readonly verify: VerifyAccess;
  /** Absent where the platform serves none. */
  readonly data: HostMemberData | undefined;
  readonly settings: MemberApiSettings;
  readonly onFault: OnFault;
}

/**
 * The Member API and, where it may be read, its schema. Specification: Member API.
 *
 * @throws TypeError when what the host adds to the schema does not fit
 */
export function memberRoutes(options: MemberRouteOptions): Route[] {
  const { settings, onFault } = options;
  const { limits, introspection, graphiql, typeDefs = [] } = settings;
  const pipeline = createPipeline({ schema: executableSchema(settings), limits, introspection, onFault });
  const endpoint: Route = {
    path: paths.memberGraphql,
    methods: graphiql ? ['GET', 'POST'] : ['POST'],
    kind: 'api',
    handle: (call) => (call.ctx.method === 'POST' ? answer(options, pipeline, call) : sendGraphiql(call.ctx)),
  };
  if (!introspection) return [endpoint];
  const sdl = textDocument('text/plain; charset=utf-8', [memberSchema, typeDefs].flat().join('\n'));
  return [
    endpoint,
    { path: paths.memberSchema, methods: ['GET'], kind: 'document', handle: ({ ctx }) => sendDocument(ctx, sdl) },
  ];
}

/** Who it is comes first, then what they want: a request that nobody sent is told nothing about itself. */
async function answer(options: MemberRouteOptions, pipeline: Pipeline, { ctx, site }: RouteCall): Promise<void> {
  try {
    const access = await verifyBearerToken(options.verify, ctx, site);
    if (access) await run(options, pipeline, ctx, site, access);
  } catch (error) {
    const resourcePath = paths.memberGraphql;
    if (error instanceof InvalidRequest) sendProblem(ctx, error);
    else if (error instanceof InvalidToken) {
      sendBearerError(ctx, site, error, { resourcePath, scopes: await scopesWanted(pipeline, ctx) });
    } else if (error instanceof OAuthError) sendBearerError(ctx, site, error, { resourcePath });
    else throw error;
  }
}

async function run(
  { data, settings, onFault }: MemberRouteOptions,
  pipeline: Pipeline,
  ctx: Context,
  site: Site,
  access: Access,
): Promise<void> {
  const type = resultType(ctx);
  const parameters = await readParameters(ctx);
  const deadline = startDeadline(ctx.res, settings.timeout, onFault);
  const { signal } = deadline;
  try {
    const running = pipeline.run(parameters, { viewer: access.member, site, access, signal, data, deadline });
    sendResult(ctx, await deadline.around(running), type);
  } finally {
    deadline.settle();
  }
}

/** The scopes that a refused request would have taken, so that its client can ask for them at once. */
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
