import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

/** The certificate of every document server: self-signed, for `docs.example`, `apps.example` and `localhost`. */
export const certificate: string = fixture('tls-cert.pem');

/** Handles a request. */
type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

const empty: RequestHandler = (_request, response) => response.end();

/** An HTTPS server on localhost whose response the test sets. */
export interface DocumentServer {
  readonly port: number;
  /** Host and path of every request, in order. */
  readonly requests: readonly string[];
  /** The number of TCP connections so far. */
  readonly connections: () => number;
  /** Sets the handler for the following requests. */
  respond(next: RequestHandler): void;
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1; with another certificate it can be other hosts. */
export async function startDocumentServer(
  tls = { key: fixture('tls-key.pem'), cert: certificate },
): Promise<DocumentServer> {
  let handle = empty;
  const requests: string[] = [];
  let connections = 0;
  const server = createServer(tls, (request, response) => {
    requests.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
    handle(request, response);
  });
  server.on('connection', () => (connections += 1));
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    port: address.port,
    requests,
    connections: () => connections,
    respond(next) {
      handle = next;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
