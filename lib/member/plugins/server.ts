import type { IncomingHttpHeaders } from 'node:http';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { withoutEmpty } from '../../kernel/empty.ts';
import { optionError } from '../../kernel/validate.ts';
import { paths } from '../../http/paths.ts';
import type { Operations } from '../preparation/operations.ts';
import type { CallContext } from '../request/host-calls.ts';
import { membersOf, parametersOf } from '../request/parameters.ts';
import type { ResultType } from '../request/response.ts';
import { withHooksAtOnce } from './synchronous-hooks.ts';
import { Engine, replacedSchema } from './envelop-functions.ts';
import { contextFor, type RequestState, requestOf, type Send } from './request-state.ts';
import { checkShared, responseOf } from './result.ts';

interface PluginServerOptions {
  readonly plugins: readonly object[];
  readonly schema: GraphQLSchema;
  readonly operations: Operations;
  readonly introspection: boolean;
}

/** A request with a valid token. */
export interface PluginRequest {
  readonly headers: IncomingHttpHeaders;
  /** The text of the body, or what a parser of the host made of it. */
  readonly body: unknown;
  readonly type: ResultType;
  readonly context: CallContext;
}

/**
 * Takes a request through Yoga, with its plug-ins.
 *
 * @throws OAuthError that a plug-in has thrown, or for what the token lacks; anything else is a fault of a plug-in
 */
export type PluginServer = (request: PluginRequest) => Promise<Send>;

/**
 * Yoga with the plug-ins of the host. Our gate is around them: what is executed has passed our limits and scopes, in our executor.
 *
 * @throws TypeError if a plug-in cannot start or replaces the schema
 */
export function createPluginServer(options: PluginServerOptions): PluginServer {
  const { plugins, schema, operations } = options;
  const engine = new Engine({ schema, operations });
  const yoga = started(() =>
    createYoga({
      schema,
      graphqlEndpoint: paths.memberGraphql,
      plugins: [before(engine), ...plugins, after(engine, options)],
      logging: false,
      cors: false,
      graphiql: false,
      landingPage: false,
      maskedErrors: false,
      parserAndValidationCache: false,
      maxRequestBodySize: false,
    }),
  );
  return async ({ headers, body, type, context }) => {
    const held: RequestState = { context, type };
    const { origin } = context.site;
    const request = new Request(new URL(paths.memberGraphql, origin), {
      method: 'POST',
      headers: headersOf(headers),
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: context.signal,
    });
    const response = await yoga.handleRequest(request, contextFor(held));
    if (held.thrown) throw held.thrown.cause;
    // A response that a plug-in has built, or kept.
    if (response.ok && !held.isProcessed) checkShared(held);
    return sending(response, Buffer.from(await response.arrayBuffer()));
  };
}

function started<T>(start: () => T): T {
  try {
    return start();
  } catch (cause) {
    if (cause instanceof TypeError && cause.message === replacedSchema().message) throw cause;
    throw optionError('memberApi.plugins', `start, but one of them failed: ${String(cause)}`);
  }
}

/** The first plug-in: its hooks run before those of the host. */
function before(engine: Engine): Plugin {
  return {
    onRequestParse: ({ setRequestParser }) =>
      setRequestParser(async (request) => withoutEmpty(membersOf(await request.text()))),
    onParse: ({ setParseFn }) => setParseFn(engine.parse),
    onValidate: ({ setValidationFn }) => setValidationFn(engine.validate),
    onExecute: ({ args, setExecuteFn, setResultAndStopExecution }) => {
      const problem = engine.admit(args);
      if (problem) setResultAndStopExecution({ errors: [problem] });
      else setExecuteFn(engine.execute);
    },
    // The validation of graphql 16 lets subscriptions pass.
    onSubscribe: ({ setResultAndStopExecution }) =>
      setResultAndStopExecution({ errors: [new GraphQLError('subscriptions are not supported')] }),
  };
}

/** The last plug-in: its hooks run after those of the host. */
function after(engine: Engine, { schema, introspection }: PluginServerOptions): Plugin {
  return {
    onPluginInit: ({ plugins }) => plugins.forEach((plugin, i) => plugins.splice(i, 1, withHooksAtOnce(plugin))),
    onSchemaChange: (change) => {
      if (change.schema !== schema) throw replacedSchema();
    },
    onParams: ({ params, setParams, context }) => {
      const request = requestOf(context);
      request.parameters = parametersOf({ ...params });
      const { query, operationName, variables } = request.parameters;
      const { extensions } = params;
      setParams({
        query,
        variables,
        ...(operationName !== undefined && { operationName }),
        ...(extensions && { extensions }),
      });
    },
    onResultProcess: (process) => {
      const request = requestOf(process.serverContext);
      process.setResultProcessor((result) => responseOf(result, request, { engine, introspection }), request.type);
    },
  };
}

/** Headers of one connection, and of a body that has been read. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

function headersOf(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    // Names of HTTP/2 begin with a colon.
    if (value === undefined || name.startsWith(':') || ofConnection.has(name)) continue;
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

function sending({ status, headers }: Response, body: Buffer): Send {
  return (ctx) => {
    ctx.status = status;
    for (const [name, value] of headers) {
      if (name === 'vary') ctx.vary(value);
      else if (name !== 'set-cookie' && !ofConnection.has(name)) ctx.set(name, value);
    }
    for (const cookie of headers.getSetCookie()) ctx.append('Set-Cookie', cookie);
    ctx.body = body.length > 0 ? body : null;
    ctx.status = status;
  };
}
