import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';

interface RequestViewOptions {
  readonly url: string;
  /** The site's origin, whatever the live request's headers say. */
  readonly origin: URL;
  readonly form?: string | undefined;
}

/** Headers of proxies, which the engine must not trust, and of the live body, which it does not see. */
const dropped = /^(?:x-forwarded-.*|forwarded|content-.*|transfer-encoding|:.*)$/;

/**
 * The request that the engine reads in place of the live one, with a body of its own: so the address is the site's, the
 * body is complete whether or not the host application has read it, and nothing unchecked reaches the engine.
 */
export class RequestView extends IncomingMessage {
  readonly #body: Buffer | undefined;

  constructor(live: IncomingMessage, { url, origin, form }: RequestViewOptions) {
    super(live.socket);
    this.httpVersion = live.httpVersion;
    this.httpVersionMajor = live.httpVersionMajor;
    this.httpVersionMinor = live.httpVersionMinor;
    this.method = live.method;
    this.url = url;
    const headers: IncomingHttpHeaders = {};
    for (const name of Object.keys(live.headers)) if (!dropped.test(name)) headers[name] = live.headers[name];
    headers.host = origin.host;
    headers['x-forwarded-proto'] = origin.protocol.slice(0, -1);
    this.headers = headers;
    if (form === undefined) return;
    this.#body = Buffer.from(form);
    headers['content-type'] = 'application/x-www-form-urlencoded';
    headers['content-length'] = String(this.#body.length);
  }

  /** The engine reads the body this way, and any stream can be read so. Filling one to read it takes longer. */
  override async *iterator(): NodeJS.AsyncIterator<Buffer> {
    if (this.#body) yield this.#body;
  }

  // The socket belongs to the live request: the view neither reads from it nor closes it.
  override _read(): void {
    if (this.#body) this.push(this.#body);
    this.push(null);
  }
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    callback(error);
  }
}
