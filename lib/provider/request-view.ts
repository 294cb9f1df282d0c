import type { IncomingMessage } from 'node:http';

/** What of a request the engine gets to see. */
export interface RequestView {
  /** Path and query. */
  readonly url: string;
  /** The site's host, whatever the wire said. */
  readonly host: string;
  /** A form body that we have read and checked. */
  readonly form?: string | undefined;
}

/** What a proxy or a client says about itself and the engine need not believe. */
const dropped = [/^x-forwarded-/, /^forwarded$/, /^content-/, /^transfer-encoding$/, /^:/];

/**
 * The request as we wrote it: the engine reads this, not the wire. So the host is the site's, the body is there however
 * the host application has read it, and nothing reaches the engine that we did not look at.
 */
export function requestView(req: IncomingMessage, { url, host, form }: RequestView): IncomingMessage {
  const kept = Object.entries(req.headers).filter(([name]) => !dropped.some((pattern) => pattern.test(name)));
  const headers = { ...Object.fromEntries(kept), host };
  if (form === undefined) return Object.create(req, { url: { value: url }, headers: { value: headers } });
  const body = Buffer.from(form);
  const formHeaders = {
    ...headers,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  };
  return Object.create(req, {
    url: { value: url },
    headers: { value: formHeaders },
    readable: { value: true },
    readableEncoding: { value: null },
    iterator: {
      value: async function* () {
        yield body;
      },
    },
  });
}
