import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Context } from 'koa';
import { InvalidRequest, type OAuthError } from '../../protocol/errors.ts';

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
  // Who names a charset wants the type with that charset, and no other.
  const best = ctx.accepts(json, graphqlJson, `${json}; charset=utf-8`, `${graphqlJson}; charset=utf-8`);
  if (best) return best.startsWith(graphqlJson) ? graphqlJson : json;
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

/** The most that an error says, in characters: what a caller sent wrongly need not come back whole. */
const longest = 500;

/** The error without what is meant for the one who sends it. */
function visible(error: GraphQLError): object {
  const { http: _, ...extensions } = error.extensions;
  const { message } = error;
  return {
    ...error.toJSON(),
    message: message.length > longest ? `${message.slice(0, longest)} …` : message,
    extensions: Object.keys(extensions).length > 0 ? extensions : undefined,
  };
}
