import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

/** The certificate of every document server: self-signed, for `docs.example`, `apps.example` and `localhost`. */
export const certificate: string = fixture('tls-cert.pem');

/** What a server does with a request. */
export type ResponseVariant = (request: IncomingMessage, response: ServerResponse) => void;

const empty: ResponseVariant = (_request, response) => response.end();

/** An HTTPS server on this machine that answers with what the test says. */
export interface DocumentServer {
  readonly port: number;
  /** Paths asked for, in order, each with its `Host`. */
  readonly asked: readonly string[];
  /** How many TCP connections were opened. */
  readonly connections: () => number;
  /** What it does with the requests from now on. */
  answer(next: ResponseVariant): void;
  close(): Promise<void>;
}

/** Starts one on 127.0.0.1. */
export async function startDocumentServer(): Promise<DocumentServer> {
  let answer = empty;
  const asked: string[] = [];
  let connections = 0;
  const server = createServer({ key: fixture('tls-key.pem'), cert: certificate }, (request, response) => {
    asked.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
    answer(request, response);
  });
  server.on('connection', () => (connections += 1));
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    port: address.port,
    asked,
    connections: () => connections,
    answer(next) {
      answer = next;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
