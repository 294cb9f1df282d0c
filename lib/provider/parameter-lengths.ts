import type { ParsedUrlQuery } from 'node:querystring';
import { InvalidRequest } from '../protocol/errors.ts';
import { parameterLimits, queryLimit } from '../protocol/parameter-limits.ts';

/** No client has a longer one, so these errors are shown: there is no redirect URI to send them to. */
const identifying = ['client_id', 'redirect_uri'] as const;

/** Refuses what must not reach the engine. RFC 6749 section 4.1.2.1. @throws InvalidRequest */
export function checkQuerySize(querystring: string): void {
  if (querystring.length > queryLimit) throw tooLong('the query', queryLimit);
  const sent = new URLSearchParams(querystring);
  for (const name of identifying) checkLength(name, sent.getAll(name));
}

/** Checks the parameters of a request whose client and redirect URI are valid. @throws InvalidRequest */
export function checkParameterLengths(query: ParsedUrlQuery): void {
  for (const name of Object.keys(parameterLimits)) checkLength(name, [query[name] ?? []].flat());
}

function checkLength(name: string, values: readonly string[]): void {
  const limit = parameterLimits[name] ?? queryLimit;
  if (values.some(({ length }) => length > limit)) throw tooLong(name, limit);
}

function tooLong(what: string, limit: number): InvalidRequest {
  return new InvalidRequest(`${what} must have at most ${limit} characters`);
}
