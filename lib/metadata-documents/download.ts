import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { LookupFunction } from 'node:net';

/** Where and how to fetch. */
export interface DownloadTarget {
  readonly url: URL;
  /** The addresses to connect to, whatever the name resolves to by now. */
  readonly addresses: readonly LookupAddress[];
  /** The port to connect to. @default that of the URL, or 443 */
  readonly port?: number | undefined;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string | undefined;
  /** Ends it, at whatever stage. */
  readonly signal: AbortSignal;
}

/**
 * Sends one GET over TLS, verified for the host of the URL, on a connection of its own that goes to the given addresses
 * only: through no proxy, pool or resolver. The answer's body is still to be read.
 */
export function download({ url, addresses, port, ca, signal }: DownloadTarget): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port ?? (url.port || 443),
      path: `${url.pathname}${url.search}`,
      // Some content networks refuse a request without a user agent.
      headers: {
        Host: url.host,
        Accept: 'application/json',
        'Accept-Encoding': 'identity',
        'User-Agent': 'campus-oidc',
      },
      lookup: pinned(addresses),
      agent: false,
      maxHeaderSize: 8192,
      rejectUnauthorized: true,
      signal,
      ...(ca !== undefined && { ca }),
    });
    outgoing.on('error', reject).on('response', resolve).end();
  });
}

function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
