import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientAudience, PersonAudience, TokenOf } from '../clients/client.ts';
import { isNodeRequest, nodeRequest } from '../../http/node-request.ts';
import { sendNodeResponse, setNodeHeaders, webResponse } from '../../http/plain-response.ts';
import { type ProxyOptions, proxyFields } from '../../http/proxy-options.ts';
import { errorResponse } from '../../http/send.ts';
import { isWebRequest, webRequest } from '../../http/web-request.ts';
import { ServerError } from '../../kernel/errors.ts';
import { group } from '../../kernel/option-schemas.ts';
import { readOptions } from '../../kernel/validate.ts';
import {
  type AccessRequirement,
  checkRequirement,
  requirementDemand,
  requirementFields,
} from './access-requirement.ts';
import { accessDecision, type GuardParts } from './api-access.ts';

/** Options of `campus.guard`: what the route requires, and whether you trust the proxy in front. */
export interface GuardOptions<A extends ClientAudience = PersonAudience> extends AccessRequirement<A>, ProxyOptions {}

/** A request that a guard has let through, in a web handler. */
export interface GuardedRequest<Token> {
  /** The verified token. */
  readonly token: Token;
  /** Headers to add to your response, so that scripts of other origins can read it. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A guard of your own routes, for every framework but Koa. It sends each refusal itself, and never calls `next` with an error.
 *
 * - With a `Request` it resolves to the token, or to the `Response` that refuses the request or answers its preflight.
 * - With `(req, res, next)` it is a middleware of Express, Nest, Fastify and `node:http`.
 */
export interface Guard<Token> {
  (request: Request): Promise<GuardedRequest<Token> | Response>;
  (req: IncomingMessage, res: ServerResponse, next: () => void): void;
  /**
   * Returns the token of a request that this guard has passed to `next`. In Fastify, the request is `request.raw`.
   *
   * @throws TypeError for any other request, so that a route without its guard fails
   */
  tokenOf(req: IncomingMessage): Token;
}

const optionsSchema = group({ ...requirementFields, ...proxyFields }, requirementDemand);

/** @throws TypeError for wrong options @internal */
export function frameworkGuard<A extends ClientAudience = PersonAudience>(
  parts: GuardParts,
  options: GuardOptions<A> = {},
): Guard<TokenOf<A> | undefined> {
  const { proxy, maxIpsCount, ...requirement } = readOptions(optionsSchema, options, 'guard');
  checkRequirement(parts, requirement, 'guard');
  const decide = accessDecision(parts, { ...requirement, audience: options.audience && [...options.audience] });
  const trust = { proxy, maxIpsCount };
  const passed = new WeakMap<IncomingMessage, { readonly token: TokenOf<A> | undefined }>();

  async function inWebHandler(request: Request): Promise<GuardedRequest<TokenOf<A> | undefined> | Response> {
    const decision = await decide(webRequest(request, trust), false);
    return 'response' in decision ? webResponse(decision.response) : decision;
  }

  async function inNode(req: IncomingMessage, res: ServerResponse, next: () => void): Promise<void> {
    const decision = await decide(nodeRequest(req, trust), res.hasHeader('Access-Control-Allow-Origin'));
    // The host has responded in the meantime, for example after its own time limit.
    if (res.headersSent) return;
    if ('response' in decision) return sendNodeResponse(res, decision.response);
    setNodeHeaders(res, decision.headers);
    passed.set(req, decision);
    next();
  }

  function fail(res: ServerResponse, error: unknown): void {
    parts.onFault('a request failed', error);
    if (!res.headersSent) sendNodeResponse(res, errorResponse(new ServerError(error)));
    else if (!res.writableEnded) res.destroy();
  }

  function guard(request: Request): Promise<GuardedRequest<TokenOf<A> | undefined> | Response>;
  function guard(req: IncomingMessage, res: ServerResponse, next: () => void): void;
  function guard(
    request: IncomingMessage | Request,
    res?: ServerResponse,
    next?: () => void,
  ): void | ReturnType<typeof inWebHandler> {
    if (isWebRequest(request)) return inWebHandler(request);
    if (!isNodeRequest(request) || !res || !next) throw new TypeError(wrongCall);
    inNode(request, res, next).catch((error: unknown) => fail(res, error));
  }

  return Object.assign(guard, {
    tokenOf(req: IncomingMessage) {
      const found = passed.get(req);
      if (found) return found.token;
      throw new TypeError(
        'guard.tokenOf must be given a request that this guard has let through, not another; mount the guard in front of the route',
      );
    },
  });
}

const wrongCall =
  'guard must be called with (req, res, next) or a Request, not other arguments; in a Koa application use campus.requireAccess';
