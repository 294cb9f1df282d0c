import type { Context } from 'koa';

/** The `Authorization` header of a Koa request, as `withOneSpace` has it. */
export function sentAuthorization({ req: { headers } }: Context): string | undefined {
  return withOneSpace(headers.authorization);
}

/** An `Authorization` header with one space after its scheme where the client sent several; `undefined` if it is empty. RFC 9110 section 11.4. */
export function withOneSpace(authorization: string | undefined): string | undefined {
  // Read for every request, and few have them.
  const sent = authorization?.includes('  ') ? authorization.replace(/^(\S+) +/, '$1 ') : authorization;
  return sent || undefined;
}
