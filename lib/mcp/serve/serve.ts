import { Readable } from 'node:stream';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Context } from 'koa';
import type { OnFault } from '../../observe/events.ts';

export type Serve = (request: Request, message: unknown) => Promise<Response>;

/**
 * Creates an MCP server for each message: revision 2026-07-28, and the 2025 revisions without sessions. Tools send nothing
 * before their result, so responses are JSON; only `subscriptions/listen` is a stream.
 */
export function serveOnce(makeServer: () => McpServer, onFault: OnFault): Serve {
  return async (request, message) => {
    if (await isLegacyRequest(request, message)) return serveLegacy(makeServer(), request, message);
    let problem: Error | undefined;
    const handler = createMcpHandler(makeServer, { legacy: 'reject', onerror: (error) => (problem = error) });
    const response = await handler.fetch(request, { parsedBody: message });
    if (response.status >= 500) onFault('the MCP server failed', problem);
    return response;
  };
}

async function serveLegacy(server: McpServer, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** The headers that MCP uses. The SDK does not need the others, such as the token and the cookies. */
const forwarded = /^(?:content-type|mcp-.+|last-event-id)$/;

/** The request for the SDK, without its body. `Accept` is set because some clients forget it. */
export function webRequest(ctx: Context, url: string): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(ctx.req.headers)) {
    if (forwarded.test(name) && typeof value === 'string') headers.set(name, value);
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
