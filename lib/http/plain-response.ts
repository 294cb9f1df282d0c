import type { ServerResponse } from 'node:http';
import type { OAuthErrorBody } from '../kernel/errors.ts';

/** Headers of a response. `Vary` is added to what it has, and the others replace it. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** A response for whichever framework sends it. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body?: OAuthErrorBody;
}

/** Sends it through a framework on `node:http`. */
export function sendNodeResponse(res: ServerResponse, { status, headers, body }: PlainResponse): void {
  setNodeHeaders(res, headers);
  res.statusCode = status;
  const text = body && JSON.stringify(body);
  if (text !== undefined) res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}

export function setNodeHeaders(res: ServerResponse, headers: ResponseHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'Vary') res.appendHeader(name, value);
    else res.setHeader(name, value);
  }
}

/** The response of a web handler. */
export function webResponse({ status, headers, body }: PlainResponse): Response {
  return new Response(body ? JSON.stringify(body) : null, { status, headers });
}
