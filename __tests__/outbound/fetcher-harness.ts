import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import {
  createDocumentFetcher,
  type DocumentFetcher,
  type DocumentFetcherOptions,
} from '../../lib/core/outbound/fetcher.ts';
import { certificate, type DocumentServer, startDocumentServer } from './document-server.ts';

/** The document that the tests fetch. */
export const url = 'https://docs.example/client.json';

/** For whom they fetch it. */
export const unused = { siteId: 'harbour', used: false } as const;
export const used = { siteId: 'harbour', used: true } as const;

/** How the message of every failure below HTTP begins. */
export const unreachable = `the metadata document at ${url} cannot be fetched`;

interface FetcherHarness {
  readonly server: () => DocumentServer;
  /** A fetcher for which every host is this server. */
  readonly fetcherOf: (options?: DocumentFetcherOptions) => DocumentFetcher;
  /** The `error_description` of a fetch whose document cannot be used. */
  readonly errorOf: (options?: DocumentFetcherOptions, address?: string) => Promise<string>;
  /** The same of a fetch that says nothing about the document. */
  readonly unreachableOf: (options?: DocumentFetcherOptions) => Promise<string>;
}

/** Sends a document. */
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
  beforeEach(() => started?.respond((_request, response) => send(response, '{"client_name":"A"}')));

  function server(): DocumentServer {
    if (started === undefined) throw new Error('the server runs during tests only');
    return started;
  }

  function fetcherOf(options: DocumentFetcherOptions = {}): DocumentFetcher {
    return createDocumentFetcher({
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

  async function messageOf(fetched: Promise<unknown>, expected: object): Promise<string> {
    const thrown = await fetched.catch((caught: unknown) => caught);
    expect(thrown).toMatchObject(expected);
    return thrown instanceof Error ? thrown.message : '';
  }

  return {
    server,
    fetcherOf,
    errorOf: (options, address = url) =>
      messageOf(fetcherOf(options).fetch(address, unused), { error: 'invalid_client_metadata', status: 400 }),
    unreachableOf: (options) =>
      messageOf(fetcherOf(options).fetch(url, unused), { error: 'temporarily_unavailable', status: 503 }),
  };
}
