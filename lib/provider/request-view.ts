import { IncomingMessage } from 'node:http';

export interface RequestView {
  /** Path and query. */
  readonly url: string;
  /** The site's origin, whatever the request's headers say. */
  readonly origin: URL;
  /** A form body that was read and checked already. */
  readonly form?: string | undefined;
}

/** Headers of proxies, which the engine must not trust, and of the original body, which it does not see. */
const dropped = /^(?:x-forwarded-.*|forwarded|content-.*|transfer-encoding|:.*)$/;

/**
 * The request that the engine reads in place of the live one. It shares nothing with the live request but the socket,
 * and its body is a stream of its own: so the address is the site's, the body is complete whether or not the host
 * application has read it, and nothing unchecked reaches the engine.
 */
export function requestView(live: IncomingMessage, { url, origin, form }: RequestView): IncomingMessage {
  const view = new IncomingMessage(live.socket);
  view.httpVersion = live.httpVersion;
  view.httpVersionMajor = live.httpVersionMajor;
  view.httpVersionMinor = live.httpVersionMinor;
  view.method = live.method;
  view.url = url;
  for (const [name, value] of Object.entries(live.headers)) if (!dropped.test(name)) view.headers[name] = value;
  view.headers.host = origin.host;
  view.headers['x-forwarded-proto'] = origin.protocol.slice(0, -1);
  if (form !== undefined) {
    const body = Buffer.from(form);
    view.headers['content-type'] = 'application/x-www-form-urlencoded';
    view.headers['content-length'] = String(body.length);
    view.push(body);
  }
  view.push(null);
  // Otherwise destroying the view counts as an aborted request and closes the live socket.
  view.complete = true;
  return view;
}
