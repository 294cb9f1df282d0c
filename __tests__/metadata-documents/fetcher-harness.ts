import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import {
  createDocumentFetcher,
  type DocumentFetcher,
  type DocumentFetcherOptions,
} from '../../lib/metadata-documents/fetcher.ts';
import { certificate, type DocumentServer, startDocumentServer } from './document-server.ts';

/** The document that the tests fetch. */
export const url = 'https://docs.example/client.json';

/** How every failure below HTTP begins. */
export const unreachable = `the metadata document at ${url} cannot be fetched`;

/** A server for the tests of one file, and ways to fetch from it. */
export interface FetcherHarness {
  readonly server: () => DocumentServer;
  /** A fetcher without limits that takes every host to be this server. */
  readonly fetcherOf: (options?: DocumentFetcherOptions) => DocumentFetcher;
  /** The error, as a client would see it and nothing more. */
  readonly errorOf: (options?: DocumentFetcherOptions, address?: string) => Promise<string>;
}

/** Answers with a document. */
export function send(response: ServerResponse, body: string | Buffer, headers: object = {}, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
}

/** Starts the server before the tests of the file, and stops it after them. */
export function fetcherHarness(): FetcherHarness {
  let started: DocumentServer | undefined;
  beforeAll(async () => {
    started = await startDocumentServer();
  });
  afterAll(() => started?.close());
  beforeEach(() => started?.answer((_request, response) => send(response, '{"client_name":"A"}')));

  function server(): DocumentServer {
    if (started === undefined) throw new Error('the server runs during tests only');
    return started;
  }

  function fetcherOf(options: DocumentFetcherOptions = {}): DocumentFetcher {
    return createDocumentFetcher({
      limits: false,
      ...options,
      testing: {
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        ca: certificate,
        allowPrivateAddresses: true,
        port: server().port,
        ...options.testing,
      },
    });
  }

  return {
    server,
    fetcherOf,
    async errorOf(options, address = url) {
      const answer = await fetcherOf(options)
        .fetch(address)
        .catch((error: unknown) => error);
      expect(answer).toMatchObject({ error: 'invalid_client_metadata', status: 400 });
      return answer instanceof Error ? answer.message : '';
    },
  };
}
