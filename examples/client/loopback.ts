import { createServer } from 'node:http';

/** The client's local web server, which receives the redirect with the code. RFC 8252 section 7.3. */
interface CallbackListener {
  readonly redirectUri: string;
  /** The URL that the browser requested. */
  readonly callback: Promise<URL>;
  close(): void;
}

/** Listens on a free port of 127.0.0.1. */
export async function listenForCallback(): Promise<CallbackListener> {
  const server = createServer();
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', done);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the callback listener has no port');
  const redirectUri = `http://127.0.0.1:${address.port}/callback`;

  const callback = new Promise<URL>((resolve) => {
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', redirectUri);
      const expected = url.href.startsWith(`${redirectUri}?`);
      response.writeHead(expected ? 200 : 404, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
      response.end(expected ? 'Done. You can close this page and return to the terminal.\n' : 'Not found\n');
      if (expected) resolve(url);
    });
  });
  return { redirectUri, callback, close: () => void server.close() };
}
