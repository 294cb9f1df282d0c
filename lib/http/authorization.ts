import type { Context } from 'koa';

/** The `Authorization` header, with one space after its scheme where the client sent several; `undefined` if it is empty. RFC 9110 section 11.4. */
export function sentAuthorization({ req: { headers } }: Context): string | undefined {
  return headers.authorization?.replace(/^(\S+) +/, '$1 ') || undefined;
}
