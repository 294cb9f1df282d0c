import type { LookupAddress } from 'node:dns';
import type { NetworkExceptions } from './network-exceptions.ts';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { JsonObject } from '../../kernel/json.ts';
import { InvalidClient, InvalidClientMetadata, TemporarilyUnavailable } from '../../kernel/errors.ts';
import { Timeout } from '../../kernel/timeout.ts';
import { isPublicAddress } from './public-address.ts';
import { readLogo } from './read-logo.ts';
import { freshness, readDocument, UnreachableDocument, UnusableDocument } from './read-document.ts';
import { askNameServers, type LimitedResolve, limitLookups } from './resolver.ts';

export interface DocumentFetcherOptions {
  /** Milliseconds from the DNS lookup to the last byte. @default 5000 */
  readonly deadline?: number | undefined;
  readonly testing?: NetworkExceptions | undefined;
}

interface FetchedDocument {
  readonly document: JsonObject;
  /** Seconds that it may be cached. */
  readonly ttl: number;
}

/** For whom something is fetched. */
export interface FetchReason {
  readonly siteId: string;
  /** Whether somebody has allowed or approved the document, or entered the address. */
  readonly used: boolean;
}

export interface DocumentFetcher {
  /**
   * @throws InvalidClientMetadata if the document cannot be used, TemporarilyUnavailable if that is not known,
   * FetcherClosed after `close`
   */
  fetch(url: string, reason: FetchReason): Promise<FetchedDocument>;
  /**
   * Fetches a key set in the same way. It can be larger.
   *
   * @throws InvalidClient if it cannot be used, TemporarilyUnavailable if that is not known, FetcherClosed after `close`
   */
  fetchKeys(url: string, reason: FetchReason): Promise<FetchedDocument>;
  /**
   * Fetches a logo in the same way, as a `data:` URL.
   *
   * @throws Error if there is none
   */
  fetchLogo(url: string, reason: FetchReason): Promise<string>;
  /**
   * Posts a form to an address by the same rules. Returns the status; what else is in the response is not read.
   *
   * @throws Error if there is none
   */
  post(url: string, form: string, reason: FetchReason): Promise<number>;
  /** Ends the fetches that are running, and refuses further ones. */
  close(): void;
}

/** This process stops: nothing is wrong with the document. */
export class FetcherClosed extends TemporarilyUnavailable {
  constructor() {
    super('this server is being stopped; try again');
  }
}

/** What is fetched: the media types to ask for, and what to make of the response. */
interface Content<T> {
  readonly accept: string;
  /** A form to post. @default none, the address is read */
  readonly form?: string;
  readonly read: (response: IncomingMessage) => Promise<T>;
}

/** How hosts are found and connected to. */
type Network = Omit<NetworkExceptions, 'resolve'> & { readonly resolve: LimitedResolve };

/** JSON of at most so many bytes. */
const jsonContent = (accept: string, maxBytes: number): Content<FetchedDocument> => ({
  accept,
  read: async (response) => {
    const document = await readDocument(response, maxBytes);
    return { document, ttl: freshness(response.headers['cache-control'], response.headers.age) };
  },
});

/** draft-ietf-oauth-client-id-metadata-document section 6.6. */
const documentContent = jsonContent('application/json', 5 * 1024);

/** Ten RSA keys with certificates. */
const keysContent = jsonContent('application/jwk-set+json,application/json', 32 * 1024);

const logoContent: Content<string> = { accept: 'image/png,image/jpeg,image/webp', read: readLogo };

/**
 * Fetches metadata documents. A host is resolved once and refused unless all its addresses are public; the connection
 * goes to those addresses. Redirects are not followed; time and size are limited.
 * Specification: Registration rules 3; draft-ietf-oauth-client-id-metadata-document section 6.
 */
export function createDocumentFetcher(options: DocumentFetcherOptions = {}): DocumentFetcher {
  const { deadline = 5000, testing = {} } = options;
  const network: Network = { ...testing, resolve: limitLookups(testing.resolve ?? askNameServers) };
  const running = new Set<Timeout>();
  let isClosed = false;

  async function load<T>(address: string, reason: FetchReason, content: Content<T>): Promise<T> {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:' || url.href !== address || url.username !== '' || url.password !== '') {
      throw new InvalidClientMetadata('a metadata document must be at a plain https: address');
    }
    if (isClosed) throw new FetcherClosed();
    const timeout = new Timeout(deadline, () => new Error('the deadline has passed'));
    running.add(timeout);
    return timeout.within(fetchFrom(url, reason, content, network, timeout.signal)).finally(() => {
      running.delete(timeout);
      timeout.clear();
    });
  }

  const loadJson =
    (what: string, content: Content<FetchedDocument>, Unusable: typeof InvalidClient | typeof InvalidClientMetadata) =>
    (address: string, reason: FetchReason): Promise<FetchedDocument> =>
      load(address, reason, content).catch((cause: unknown) => {
        if (cause instanceof FetcherClosed || cause instanceof InvalidClientMetadata) throw cause;
        // The same sentence for every failure below HTTP: a client must not learn what is inside our network.
        const unreachable = `cannot be fetched; serve it to the internet, with a certificate that browsers trust, within ${deadline / 1000} seconds`;
        const subject = `${what} at ${address}`;
        if (cause instanceof UnusableDocument) throw new Unusable(`${subject} ${cause.message}`, { cause });
        const wrong = cause instanceof UnreachableDocument ? cause.message : unreachable;
        throw new TemporarilyUnavailable(`${subject} ${wrong}`, { cause, host: new URL(address).host });
      });

  return {
    fetch: loadJson('the metadata document', documentContent, InvalidClientMetadata),
    fetchKeys: loadJson('the key set', keysContent, InvalidClient),
    fetchLogo: (address, reason) => load(address, reason, logoContent),
    post: (address, form, reason) =>
      load(address, reason, { accept: '*/*', form, read: async ({ statusCode = 0 }) => statusCode }),
    close() {
      isClosed = true;
      for (const timeout of running) timeout.end(new FetcherClosed());
    },
  };
}

async function fetchFrom<T>(
  url: URL,
  reason: FetchReason,
  { accept, form, read }: Content<T>,
  { resolve, allowPrivateAddresses = false, ...testing }: Network,
  signal: AbortSignal,
): Promise<T> {
  const addresses = await resolve(hostOf(url), signal, reason);
  if (addresses.length === 0) throw new Error('no address');
  if (!allowPrivateAddresses && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new Error('an address is not public');
  }
  signal.throwIfAborted();
  const response = await download(url, { accept, form }, addresses, testing, signal);
  try {
    return await read(response);
  } finally {
    response.destroy();
  }
}

/** An IPv6 address without the brackets of the URL. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Sends one request over a new connection to these addresses: without a proxy, a pool, or a second DNS lookup. */
function download(
  url: URL,
  { accept, form }: { readonly accept: string; readonly form: string | undefined },
  addresses: readonly LookupAddress[],
  { ca, port }: NetworkExceptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: hostOf(url),
      port: port ?? (url.port || 443),
      method: form === undefined ? 'GET' : 'POST',
      path: `${url.pathname}${url.search}`,
      // Some CDNs refuse requests without a user agent.
      headers: {
        Host: url.host,
        Accept: accept,
        'Accept-Encoding': 'identity',
        'User-Agent': 'campus-oidc',
        ...(form !== undefined && {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': Buffer.byteLength(form),
        }),
      },
      lookup: (_host, { all }, callback) => {
        const [first] = addresses;
        if (all === true) callback(null, [...addresses]);
        else callback(null, first?.address ?? '', first?.family);
      },
      agent: false,
      maxHeaderSize: 8192,
      rejectUnauthorized: true,
      signal,
      ...(ca !== undefined && { ca }),
    });
    outgoing.on('error', reject).on('response', resolve).end(form);
  });
}
