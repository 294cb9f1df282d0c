import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { DocumentTesting } from '../contracts/registration.ts';
import type { JsonObject } from '../contracts/json.ts';
import { InvalidClientMetadata } from '../protocol/errors.ts';
import { createDocumentBudget, type DocumentLimits } from './budget.ts';
import { download } from './download.ts';
import { freshness } from './freshness.ts';
import { singleFlight } from '../runtime/single-flight.ts';
import { startTimeout } from '../runtime/timeout.ts';
import { isPublicAddress } from './public-address.ts';
import { readDocument, UnusableDocument } from './read-document.ts';

export interface DocumentFetcherOptions {
  /** Fetches per minute; `false` for no limit. */
  readonly limits?: DocumentLimits | false | undefined;
  /** Milliseconds from the DNS lookup to the last byte. @default 5000 */
  readonly deadline?: number | undefined;
  readonly testing?: DocumentTesting | undefined;
}

export interface FetchedDocument {
  readonly document: JsonObject;
  /** Seconds that it may be cached. */
  readonly ttl: number;
}

export interface DocumentFetcher {
  /**
   * The document at this URL; concurrent calls for one URL share one request.
   *
   * @throws InvalidClientMetadata when it cannot be reached or used
   * @throws OAuthError `slow_down`, status 429, when the budget is used up
   */
  fetch(url: string): Promise<FetchedDocument>;
}

/**
 * Fetches metadata documents. A host is resolved once and refused unless all its addresses are public; the connection
 * goes to those addresses. Redirects are not followed; time, size and rate are limited. Nothing is cached.
 * Specification: Registration rules 3; draft-ietf-oauth-client-id-metadata-document section 6.
 */
export function createDocumentFetcher(options: DocumentFetcherOptions = {}): DocumentFetcher {
  const { limits = {}, deadline = 5000, testing = {} } = options;
  const budget = limits === false ? undefined : createDocumentBudget(limits);

  async function load(address: string): Promise<FetchedDocument> {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:' || url.href !== address || url.username !== '' || url.password !== '') {
      throw new InvalidClientMetadata('a metadata document must be at a plain https: address');
    }
    budget?.consumeQuota(url.host);
    const { signal, ended, clear } = startTimeout(deadline, () => new Error('the deadline has passed'));
    const fetched = Promise.race([fetchFrom(url, testing, signal), ended]).finally(clear);
    return fetched.catch((cause: unknown) => {
      // The same sentence for every failure below HTTP: a client must not learn what is inside our network.
      const unreachable = `cannot be fetched; serve it to the internet, with a certificate that browsers trust, within ${deadline / 1000} seconds`;
      const wrong = cause instanceof UnusableDocument ? cause.message : unreachable;
      throw new InvalidClientMetadata(`the metadata document at ${address} ${wrong}`, { cause });
    });
  }

  return { fetch: singleFlight(load) };
}

async function fetchFrom(url: URL, testing: DocumentTesting, signal: AbortSignal): Promise<FetchedDocument> {
  const { resolve = resolveAll, allowPrivateAddresses = false, ca, port } = testing;
  const addresses = await resolve(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  if (addresses.length === 0) throw new Error('no address');
  if (!allowPrivateAddresses && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new Error('an address is not public');
  }
  signal.throwIfAborted();
  const answer = await download({ url, addresses, port, ca, signal });
  try {
    const document = await readDocument(answer);
    return { document, ttl: freshness(answer.headers['cache-control'], answer.headers.age) };
  } finally {
    answer.destroy();
  }
}

function resolveAll(host: string): Promise<LookupAddress[]> {
  return lookup(host, { all: true });
}
