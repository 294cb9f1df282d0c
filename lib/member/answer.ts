import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Context } from 'koa';
import { InvalidRequest, type OAuthError } from '../errors.ts';

const json = 'application/json';
const graphqlJson = 'application/graphql-response+json';

/** A media type in which a result can be sent. */
export type ResultType = typeof json | typeof graphqlJson;

/**
 * The media type that the caller accepts best.
 *
 * @throws InvalidRequest with status 406
 */
export function resultType(ctx: Context): ResultType {
  const accepted = ctx.get('Accept');
  if (accepted === '' || accepted === '*/*' || accepted === json) return json;
  const best = ctx.accepts(json, graphqlJson);
  if (best === json || best === graphqlJson) return best;
  throw new InvalidRequest(`the answer is ${graphqlJson} or ${json}; accept one of them`, { status: 406 });
}

/**
 * Sends a result. What GraphQL itself refuses is 400, but 200 as plain JSON; what we refuse is 400 in both. GraphQL over
 * HTTP: Status Codes.
 */
export function sendResult(ctx: Context, result: ExecutionResult, type: ResultType): void {
  const { data, errors } = result;
  const refused = data === undefined && (type === graphqlJson || errors?.some(isOurs));
  ctx.status = refused ? 400 : 200;
  ctx.set('Content-Type', `${type}; charset=utf-8`);
  ctx.body = JSON.stringify(errors ? { ...result, errors: errors.map(visible) } : result);
}

/** Sends why a request is no GraphQL request. */
export function sendProblem(ctx: Context, { status, message, headers }: OAuthError): void {
  ctx.set({ ...headers });
  ctx.status = status;
  ctx.set('Content-Type', `${json}; charset=utf-8`);
  ctx.body = JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] });
}

/** `spec` is Yoga's mark of an error that the specification of GraphQL demands. */
function isOurs({ extensions: { http } }: GraphQLError): boolean {
  return typeof http === 'object' && http !== null && 'spec' in http && !http.spec;
}

/** The error without what is meant for the one who sends it. */
function visible(error: GraphQLError): object {
  const { http: _, ...extensions } = error.extensions;
  return { ...error.toJSON(), extensions: Object.keys(extensions).length > 0 ? extensions : undefined };
}
