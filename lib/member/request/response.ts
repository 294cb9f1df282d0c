import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Context } from 'koa';
import { InvalidRequest, type OAuthError } from '../../kernel/errors.ts';
import { PersistedQueryNotSupported } from './parameters.ts';

const json = 'application/json';
const graphqlJson = 'application/graphql-response+json';

export type ResultType = typeof json | typeof graphqlJson;

/** @throws InvalidRequest with status 406 if `Accept` allows neither type */
export function resultType(ctx: Context): ResultType {
  const { accept: accepted = '' } = ctx.req.headers;
  if (accepted === '' || accepted === '*/*' || accepted === json) return json;
  // If `Accept` has a charset, only the type with this charset matches.
  const best = ctx.accepts(json, graphqlJson, `${json}; charset=utf-8`, `${graphqlJson}; charset=utf-8`);
  if (best) return best.startsWith(graphqlJson) ? graphqlJson : json;
  throw new InvalidRequest(`the response is ${graphqlJson} or ${json}; Accept must allow one of them`, { status: 406 });
}

/**
 * Sends a result. An operation that GraphQL rejects has status 400, but 200 as `application/json`. An operation that
 * exceeds our limits has status 400 in both types. GraphQL over HTTP: Status Codes.
 */
export function sendResult(ctx: Context, result: ExecutionResult, type: ResultType): void {
  ctx.status = statusOf(result, type);
  ctx.set('Content-Type', `${type}; charset=utf-8`);
  ctx.body = bodyOf(result);
}

export function statusOf({ data, errors }: ExecutionResult, type: ResultType): 200 | 400 {
  const refused = data === undefined && (type === graphqlJson || errors?.some(isOurs));
  return refused ? 400 : 200;
}

export function bodyOf(result: ExecutionResult): string {
  const { errors } = result;
  return JSON.stringify(errors ? { ...result, errors: errors.map(visible) } : result);
}

/** Sends a GraphQL error for a request that is not a GraphQL request. */
export function sendProblem(ctx: Context, error: OAuthError): void {
  const { status, message, headers } = error;
  const code = error instanceof PersistedQueryNotSupported ? PersistedQueryNotSupported.code : 'BAD_REQUEST';
  ctx.set({ ...headers });
  ctx.status = status;
  ctx.set('Content-Type', `${json}; charset=utf-8`);
  ctx.body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
}

/** Yoga sets `spec` on errors that the GraphQL specification requires. */
function isOurs({ extensions: { http } }: GraphQLError): boolean {
  return typeof http === 'object' && http !== null && 'spec' in http && !http.spec;
}

/** Maximum length of an error message in characters, since messages can quote the request. */
const longest = 500;

/** Without the extension `http`, which is for this file only. */
function visible(error: GraphQLError): object {
  const { http: _, ...extensions } = error.extensions;
  const { message } = error;
  return {
    ...error.toJSON(),
    message: message.length > longest ? `${message.slice(0, longest)} …` : message,
    extensions: Object.keys(extensions).length > 0 ? extensions : undefined,
  };
}
