import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
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
