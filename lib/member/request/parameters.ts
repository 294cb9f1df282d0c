import type { Context } from 'koa';
import { bodyLimit, parseJson, readJsonBody } from '../../http/body.ts';
import { mediaType } from '../../http/media-type.ts';
import { isEmpty } from '../../kernel/empty.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { objectOf } from '../../kernel/json.ts';
import { isObject } from '../../kernel/validate.ts';
import type { Parameters } from './operation.ts';

/** @throws InvalidRequest with status 400, 408, 413 or 415 */
export async function readParameters(ctx: Context): Promise<Parameters> {
  return parametersOf(membersOf(await readBody(ctx)));
}

/**
 * The text of the request body, or what a body parser of the host made of it. Only JSON is accepted: browsers send `text/plain` and
 * forms to other origins without a preflight.
 *
 * @throws InvalidRequest with status 400, 408, 413 or 415
 */
export async function readBody(ctx: Context): Promise<unknown> {
  const { 'content-type': sent } = ctx.req.headers;
  if (mediaType(sent).type !== 'application/json') {
    throw new InvalidRequest(`the body must be application/json, not ${sent || 'a body without a content type'}`, {
      status: 415,
    });
  }
  return readJsonBody(ctx, bodyLimit);
}

/** @throws InvalidRequest if the body is not an object; batches are not supported */
export function membersOf(text: unknown): Readonly<Record<string, unknown>> {
  const body = parseJson(text);
  if (Array.isArray(body)) throw new InvalidRequest('send one request at a time; batches are not supported');
  if (!isObject(body)) throw new InvalidRequest('the body must be a JSON object with the member "query"');
  return body;
}

/** @throws InvalidRequest that names the parameter */
export function parametersOf(body: Readonly<Record<string, unknown>>): Parameters {
  const { query, operationName, variables, extensions } = body;
  if (isEmpty(query) && asksForPersisted(body)) throw new PersistedQueryNotSupported();
  if (query === undefined || query === '') throw new InvalidRequest('query must not be missing or empty');
  if (typeof query !== 'string') throw new InvalidRequest('query must be a string');
  const name = isEmpty(operationName) ? undefined : operationName;
  if (name !== undefined && typeof name !== 'string') throw new InvalidRequest('operationName must be a string');
  const values = isEmpty(variables) ? {} : variables;
  if (!isObject(values)) throw new InvalidRequest('variables must be an object');
  if (!isEmpty(extensions) && !isObject(extensions)) throw new InvalidRequest('extensions must be an object');
  return { query, operationName: name, variables: values };
}

/** By these names clients ask for a query that the server has, beside `extensions.persistedQuery` of Apollo Client and urql. */
const persisted = ['documentId', 'doc_id', 'id', 'queryId', 'hash'] as const;

function asksForPersisted(body: Readonly<Record<string, unknown>>): boolean {
  const { persistedQuery } = objectOf(body['extensions']);
  return isObject(persistedQuery) || persisted.some((name) => typeof body[name] === 'string' && body[name] !== '');
}

/** Apollo Client and urql look for this text or this code, and then send the query itself. */
export class PersistedQueryNotSupported extends InvalidRequest {
  static readonly code = 'PERSISTED_QUERY_NOT_SUPPORTED';

  constructor() {
    super('PersistedQueryNotSupported');
  }
}
