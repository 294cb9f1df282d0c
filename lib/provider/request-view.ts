import { IncomingMessage } from 'node:http';

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
  constructor(live: IncomingMessage, { url, origin, form }: RequestViewOptions) {
    super(live.socket);
    this.httpVersion = live.httpVersion;
    this.httpVersionMajor = live.httpVersionMajor;
    this.httpVersionMinor = live.httpVersionMinor;
    this.method = live.method;
    this.url = url;
    const kept = Object.entries(live.headers).filter(([name]) => !dropped.test(name));
    this.headers = {
      ...Object.fromEntries(kept),
      host: origin.host,
      'x-forwarded-proto': origin.protocol.slice(0, -1),
    };
    if (form !== undefined) {
      const body = Buffer.from(form);
      this.headers['content-type'] = 'application/x-www-form-urlencoded';
      this.headers['content-length'] = String(body.length);
      this.push(body);
    }
    this.push(null);
  }

  // The socket belongs to the live request: the view neither reads from it nor closes it.
  override _read(): void {}
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    callback(error);
  }
}
