import type { Context } from 'koa';
import type { CallContext } from '../request/host-calls.ts';
import type { Parameters } from '../request/operation.ts';
import type { ResultType } from '../request/response.ts';

/** A response that has been built, to be written once the time of the request has not run out. */
export type Send = (ctx: Context) => void;

/** What the gate knows of a request, whatever plug-ins do to its context. */
export interface RequestState {
  readonly context: CallContext;
  readonly type: ResultType;
  /** The parameters of the operation, after every plug-in has seen them. */
  parameters?: Parameters;
  /** Whether limits and scopes of the operation have been checked. */
  isAdmitted?: true;
  /** Whether its operation has been executed. A plug-in may have the result of another request. */
  isExecuted?: true;
  /** Whether its response was made from a result. */
  isProcessed?: true;
  /** What was thrown outside of resolvers, in place of a result. */
  thrown?: { readonly cause: unknown };
}

const held = Symbol('campus-oidc request');

/** The names of the context that plug-ins must leave as they are: resolvers and guards rely on them. */
const ours = ['viewer', 'site', 'token', 'signal', 'data', 'deadline', 'onFault', 'seesEmail'] as const;

/** The context that plug-ins start with, and may add to. */
export function contextFor(request: RequestState): Record<string | symbol, unknown> {
  const { context } = request;
  return { ...Object.fromEntries(ours.map((name) => [name, context[name]])), [held]: request };
}

/**
 * The request that a context belongs to, also if the context is a copy.
 *
 * @throws Error that names what a plug-in has replaced in it
 */
export function requestOf(context: unknown): RequestState {
  const request = typeof context === 'object' && context !== null ? Reflect.get(context, held) : undefined;
  if (!isHeld(request)) throw new Error('a memberApi plug-in has replaced the context; extend it instead');
  const replaced = ours.find((name) => Reflect.get(Object(context), name) !== request.context[name]);
  if (replaced === undefined) return request;
  throw new Error(`a memberApi plug-in has replaced context.${replaced}; choose another name`);
}

function isHeld(value: unknown): value is RequestState {
  return typeof value === 'object' && value !== null && 'context' in value && 'type' in value;
}
