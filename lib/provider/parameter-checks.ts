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

/**
 * Checks the parameters of a request whose client and redirect URI are valid. What is stored of them takes no more bytes than
 * the longest query, however it is encoded. @throws InvalidRequest
 */
export function checkParameters(query: ParsedUrlQuery): void {
  let bytes = 0;
  for (const name of Object.keys(parameterLimits)) {
    const values = [query[name] ?? []].flat();
    checkLength(name, values);
    checkCharacters(name, values);
    for (const value of values) bytes += storedBytes(value);
  }
  if (bytes > queryLimit) {
    throw new InvalidRequest(`the parameters must have at most ${queryLimit} bytes as JSON strings in UTF-8`);
  }
}

/** What a value takes in a record: one character can be three bytes, and quotes and backslashes are escaped. */
function storedBytes(value: string): number {
  return Buffer.byteLength(JSON.stringify(value)) - 2;
}

function checkLength(name: string, values: readonly string[]): void {
  const limit = parameterLimits[name] ?? queryLimit;
  if (values.some(({ length }) => length > limit)) throw tooLong(name, limit);
}

/** JSON writes a control character as six. RFC 6749 appendix A permits none. */
function checkCharacters(name: string, values: readonly string[]): void {
  if (!values.some((value) => /\p{Cc}/u.test(value))) return;
  throw new InvalidRequest(`${name} must not contain control characters`);
}

function tooLong(what: string, limit: number): InvalidRequest {
  return new InvalidRequest(`${what} must have at most ${limit} characters`);
}
