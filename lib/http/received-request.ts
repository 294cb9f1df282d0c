import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';

/** A request as it reached a framework: what finding its school and reading its token needs. */
export interface ReceivedRequest {
  readonly method: string;
  /** The target of the request line: a path with its query, or an address. */
  readonly target: string;
  /** The protocol of the connection, or the one that a trusted proxy names. */
  readonly protocol: string;
  /** Whether the proxy in front is trusted, and so `X-Forwarded-*`. */
  readonly isProxied: boolean;
  /** The address of the caller; empty if it is not known. */
  readonly ip: string;
  /** Every value of a header: one that was sent twice has two, even where the framework keeps only the first. */
  values(header: string): readonly string[];
  /** The values of a header as one; empty without the header. RFC 9110 section 5.2. */
  get(header: string): string;
}

/** The request of a Koa application. Reads a member of the context only when the caller needs it. */
export function koaRequest(ctx: Context): ReceivedRequest {
  const { app, req } = ctx;
  return {
    get method() {
      return ctx.method;
    },
    get target() {
      return req.url ?? '';
    },
    get protocol() {
      return ctx.protocol;
    },
    isProxied: app.proxy,
    get ip() {
      return ctx.ip;
    },
    values: (header) => headerValues(req, header),
    get: (header) => headerValues(req, header).join(', '),
  };
}

/** The path of the target. */
export function pathOf({ target }: ReceivedRequest): string {
  return target.startsWith('/') ? (target.split('?', 1)[0] ?? '') : (URL.parse(target)?.pathname ?? '');
}

/** The values as they were sent if there are several, and otherwise the value in `req.headers`, which the host may have changed. */
export function headerValues(req: IncomingMessage, header: string): readonly string[] {
  const name = header.toLowerCase();
  const { headers, rawHeaders } = req;
  if (headerCount(req, name) > 1)
    return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
  const value = headers[name];
  return value === undefined ? [] : [value].flat();
}

/** How often a header was sent, named in lower case. Node keeps only the first of some headers. */
export function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === name.length && rawHeaders[i]?.toLowerCase() === name) count += 1;
  }
  return count;
}
