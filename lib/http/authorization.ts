import type { Context } from 'koa';

/** The `Authorization` header, with one space after its scheme where the client sent several; `undefined` if it is empty. RFC 9110 section 11.4. */
export function sentAuthorization({ req: { headers } }: Context): string | undefined {
  const { authorization } = headers;
  // Read for every request, and few have them.
  const sent = authorization?.includes('  ') ? authorization.replace(/^(\S+) +/, '$1 ') : authorization;
  return sent || undefined;
}
