import type { Context } from 'koa';
import { InvalidToken } from '../protocol/errors.ts';

/** RFC 6750 section 2.1; ours have 43 characters. */
const token = /^[\w.~+/-]{1,512}=*$/;

/**
 * The bearer token of a request; `undefined` when it carries none. Only the `Authorization` header counts: a token in an
 * address ends up in logs.
 *
 * @throws InvalidToken for a header that is malformed or repeated, or a token in the query
 */
export function bearerToken(ctx: Context): string | undefined {
  if ('access_token' in ctx.query) {
    throw new InvalidToken('an access token must not be sent in the address; send Authorization: Bearer <token>');
  }
  const headers = ctx.req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
  if (headers.length === 0) return undefined;
  if (headers.length > 1) throw new InvalidToken('there must be one Authorization header, not several');
  const [scheme, value, ...rest] = ctx.get('Authorization').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || value === undefined || rest.length > 0 || !token.test(value)) {
    throw new InvalidToken('the Authorization header must read: Bearer <token>');
  }
  return value;
}
