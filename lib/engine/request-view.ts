import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Provider } from 'oidc-provider';
import type { EngineRequest } from './engine-request.ts';

interface RequestViewOptions {
  readonly url: string;
  /** The site's origin, whatever the live request's headers say. */
  readonly origin: URL;
  readonly form?: string | undefined;
}

/** Headers of proxies, which the engine must not trust, and of the live body, which it does not see. */
const dropped = /^(?:x-forwarded-.*|forwarded|content-.*|transfer-encoding|:.*)$/;

/** The request that the engine reads in place of the live one: with the site's address and the whole body, and nothing unchecked. */
export class RequestView extends IncomingMessage {
  /** Every context that the engine makes has this view as its `req`. */
  readonly request: EngineRequest;
  readonly #body: Buffer | undefined;

  constructor(request: EngineRequest, { url, origin, form }: RequestViewOptions) {
    const { req: live } = request.ctx;
    super(live.socket);
    this.request = request;
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

export function requestOf({ req }: { readonly req: IncomingMessage }): EngineRequest {
  if (req instanceof RequestView) return req.request;
  throw new Error('the engine got a request that is not a view');
}

/** The request of the engine's own async context: for its storage, its clients and its issuer, which get no context. */
export function currentRequest(): EngineRequest {
  if (Provider.ctx) return requestOf(Provider.ctx);
  throw new Error('the engine was called outside a request');
}
