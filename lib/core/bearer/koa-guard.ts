import type { Middleware } from 'koa';
import type {
  ClientAudience,
  PersonAudience,
  TokenOf,
  VerifiedServiceToken,
  VerifiedToken,
} from '../clients/client.ts';
import { keepCorsHeaders } from '../../http/cors.ts';
import { koaRequest } from '../../http/received-request.ts';
import { sendResponse, setHeaders } from '../../http/send.ts';
import { group } from '../../kernel/option-schemas.ts';
import { readOptions } from '../../kernel/validate.ts';
import {
  type AccessRequirement,
  checkRequirement,
  requirementDemand,
  requirementFields,
} from './access-requirement.ts';
import { accessDecision, type GuardParts } from './api-access.ts';

/** `ctx.state` behind `requireAccess`. Where anonymous requests are allowed: `TokenState<VerifiedToken | undefined>`. */
export interface TokenState<A extends VerifiedToken | VerifiedServiceToken | undefined = VerifiedToken> {
  /** The verified token. */
  token: A;
}

/** A middleware that puts its state. A method, since a guard of a campus whose schools have more members is also one of any campus. */
export type AccessGuard<State> = { guard(...call: Parameters<Middleware<State>>): Promise<void> }['guard'];

const requirementSchema = group(requirementFields, requirementDemand);

/** Puts `ctx.state.token` or sends the response. @throws TypeError for a wrong requirement @internal */
export function koaGuard<A extends ClientAudience = PersonAudience>(
  parts: GuardParts,
  options: AccessRequirement<A> = {},
): AccessGuard<TokenState<TokenOf<A> | undefined>> {
  const requirement = readOptions(requirementSchema, options, 'requireAccess');
  checkRequirement(parts, requirement, 'requireAccess');
  const decide = accessDecision(parts, { ...requirement, audience: options.audience && [...options.audience] });
  return async (ctx, next) => {
    const decision = await decide(koaRequest(ctx), ctx.res.hasHeader('Access-Control-Allow-Origin'));
    if ('response' in decision) return sendResponse(ctx, decision.response);
    setHeaders(ctx, decision.headers);
    ctx.state.token = decision.token;
    await keepCorsHeaders(ctx, next);
  };
}
