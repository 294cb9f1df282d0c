import { type ExecutionResult, GraphQLError } from 'graphql';
import { mayShare } from '../../core/bearer/verified-token.ts';
import { isObject } from '../../kernel/validate.ts';
import { OAuthError } from '../../kernel/errors.ts';
import { causeOf, maskError, withoutSuggestion } from '../request/masking.ts';
import { bodyOf, statusOf } from '../request/response.ts';
import type { Engine } from './envelop-functions.ts';
import type { RequestState } from './request-state.ts';

interface ResultOptions {
  readonly engine: Engine;
  readonly introspection: boolean;
}

/** The response to a result, as hooks of `onResponse` see it. What was thrown in its place is kept for the caller of Yoga. */
export function responseOf(result: unknown, request: RequestState, options: ResultOptions): Response {
  request.isProcessed = true;
  try {
    const checked = checkedResult(result, request, options);
    const http = httpOf(checked);
    const body = bodyOf({ ...checked.result, ...(checked.extensions && { extensions: checked.extensions }) });
    const status = http.status ?? statusOf(checked.result, request.type);
    return new Response(body, {
      status,
      headers: { 'content-type': `${request.type}; charset=utf-8`, ...http.headers },
    });
  } catch (cause) {
    request.thrown ??= { cause };
    return new Response(null, { status: cause instanceof OAuthError ? cause.status : 500 });
  }
}

interface Checked {
  readonly result: ExecutionResult;
  /** Without `http`, which is for the response. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  /** What the result says about its response. */
  readonly http: unknown;
}

/** @throws what a plug-in has thrown, or what its result needs and the token lacks */
function checkedResult(given: unknown, request: RequestState, { engine, introspection }: ResultOptions): Checked {
  if (!isResult(given)) throw new Error('a memberApi plug-in returned an invalid result; streams are not supported');
  const { data, errors } = given;
  if (data === undefined) {
    const thrown = errors?.find(isThrown);
    if (thrown || !errors?.length) throw thrownIn(thrown);
  } else if (!request.isExecuted) {
    const problem = engine.admitResult(request);
    if (problem) return { result: { errors: [problem] }, extensions: undefined, http: undefined };
    checkShared(request);
  }
  const masked = errors?.map((error) => (error instanceof Error ? maskError(error, request.context.onFault) : error));
  if (data === undefined && !introspection) masked?.forEach(withoutSuggestion);
  const { http, ...extensions } = isObject(given.extensions) ? given.extensions : {};
  return {
    result: { ...(masked && { errors: masked }), ...(data !== undefined && { data }) },
    extensions: Object.keys(extensions).length > 0 ? extensions : undefined,
    http,
  };
}

/**
 * What was not executed for this request was made for another one, of a client that may see more of the same person.
 *
 * @throws Error that says what the key of a cache has to be
 */
export function checkShared({ context: { token } }: RequestState): void {
  if (mayShare(token)) return;
  throw new Error(
    'a memberApi plug-in served a limited token with a result that was not executed for it; use context.token.cacheKey as its cache key',
  );
}

function isResult(given: unknown): given is ExecutionResult {
  return isObject(given) && !(Symbol.asyncIterator in given);
}

/** Without `data` nothing was run, so anything but a `GraphQLError` was thrown by a hook. Yoga makes one of a text or another value. */
function isThrown(error: GraphQLError): boolean {
  return (
    error instanceof Error && (!(causeOf(error) instanceof GraphQLError) || error.extensions?.['unexpected'] === true)
  );
}

function thrownIn(error: GraphQLError | undefined): unknown {
  if (!error) return new Error('a memberApi plug-in has ended the operation without a result');
  const cause = causeOf(error);
  return cause instanceof OAuthError ? cause : new Error('a memberApi plug-in failed', { cause });
}

interface Http {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a plug-in says about the response, in `extensions.http` of the result or of an error that it has thrown. */
function httpOf({ result, http }: Checked): Http {
  const ofErrors = result.data === undefined ? (result.errors ?? []).map(({ extensions }) => extensions?.['http']) : [];
  const found = [http, ...ofErrors].filter(isObject);
  const status = found
    .filter((one) => !('spec' in one))
    .flatMap((one) => (Number.isInteger(one['status']) ? [Number(one['status'])] : []));
  const headers = found.flatMap((one) => (isObject(one['headers']) ? Object.entries(one['headers']) : []));
  return {
    status: status.length > 0 ? Math.max(...status) : undefined,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
  };
}
