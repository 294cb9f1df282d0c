import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** The headers that MCP uses. The SDK does not need the others, such as the token and the cookies. */
const forwarded = /^(?:mcp-.+|last-event-id)$/;

/** The request for the SDK, without its body, which has been read. `Accept` is set because some clients forget it. */
export function webRequest(ctx: Context, url: string): Request {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(ctx.req.headers)) {
    if (forwarded.test(name) && typeof value === 'string' && value !== '') headers.set(name, value);
  }
  return new Request(url, { method: ctx.method, headers });
}

/** Response headers that are not taken from the SDK. */
const ownHeaders: ReadonlySet<string> = new Set(['connection', 'cache-control']);

/** Sends the SDK's response through Koa. Setting the body changes the status, so the status is set last. */
export async function sendWebResponse(ctx: Context, response: Response): Promise<void> {
  for (const [name, value] of response.headers) if (!ownHeaders.has(name)) ctx.set(name, value);
  const { body, headers, status } = response;
  const streams = headers.get('content-type')?.startsWith('text/event-stream') === true;
  ctx.body = streams && body ? Readable.from(body, { objectMode: false }) : (await response.text()) || null;
  ctx.status = status;
}
