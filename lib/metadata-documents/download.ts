import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { LookupFunction } from 'node:net';

interface DownloadTarget {
  readonly url: URL;
  /** The addresses to connect to. The host name is not resolved again. */
  readonly addresses: readonly LookupAddress[];
  /** The port to connect to. @default the port of the URL */
  readonly port?: number | undefined;
  /** CA certificates to trust instead of the system's, PEM. */
  readonly ca?: string | undefined;
  /** Aborts the request at any stage. */
  readonly signal: AbortSignal;
}

/**
 * Sends one GET request over a new TLS connection to the given addresses, without a proxy, connection pool or resolver.
 * The certificate must be valid for the host of the URL. The body of the response has not been read yet.
 */
export function download({ url, addresses, port, ca, signal }: DownloadTarget): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port ?? (url.port || 443),
      path: `${url.pathname}${url.search}`,
      // Some CDNs refuse requests without a user agent.
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
