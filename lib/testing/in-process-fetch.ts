import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type Koa from 'koa';

/** `fetch` for the addresses of one middleware, in this process: nothing listens, and nothing is sent. */
export function inProcessFetch(middleware: Koa.Middleware, app: Koa): typeof fetch {
  return async (input, init) => {
    const sent = new Request(input, { ...init, redirect: 'manual' });
    const message = new InProcessRequest(sent, Buffer.from(await sent.arrayBuffer()));
    const response = new ServerResponse(message);
    const ctx = app.createContext(message, response);
    await middleware(ctx, async () => {
      ctx.status = 404;
    });
    const body = await bodyText(ctx.body);
    // Calls that wait for their caller end with it.
    response.emit('close');
    // Fetch Standard, null body status.
    const isBodiless = [204, 205, 304].includes(ctx.status);
    return new Response(isBodiless ? null : body, { status: ctx.status, headers: headersOf(response) });
  };
}

/** A request that came over no connection. */
class InProcessRequest extends IncomingMessage {
  constructor({ method, url, headers }: Request, body: Buffer) {
    super(new Socket());
    const { pathname, search, host, protocol } = new URL(url);
    this.method = method;
    this.url = `${pathname}${search}`;
    this.httpVersion = '1.1';
    // The school is found by them, as behind a proxy.
    this.headers = { ...Object.fromEntries(headers), host, 'x-forwarded-proto': protocol.slice(0, -1) };
    if (body.length > 0) this.headers['content-length'] = String(body.length);
    this.rawHeaders = Object.entries(this.headers).flatMap(([name, value]) => [name, String(value)]);
    if (body.length > 0) this.push(body);
    this.push(null);
  }

  override _read(): void {}
}

/** What Koa would send. */
async function bodyText(body: unknown): Promise<string> {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body.toString();
  return body instanceof Readable ? text(body) : JSON.stringify(body);
}

function headersOf(response: ServerResponse): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.getHeaders())) {
    for (const each of [value ?? []].flat()) headers.append(name, String(each));
  }
  return headers;
}
