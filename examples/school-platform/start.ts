import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createDemo } from './app.ts';
import { type Origins, schoolOrigins } from './seed.ts';

interface RunningDemo {
  readonly origins: Origins;
  /** Stops accepting requests, waits for pending ones, and discards all data. */
  close(): Promise<void>;
}

/** Starts the demo on the loopback addresses of this machine. Port 0 selects a free port. */
export async function startDemo({ port }: { readonly port: number }): Promise<RunningDemo> {
  // The origins contain the port, so the app is created once the port is known. Until then, requests get 503.
  let handle: RequestListener = notReady;
  const listener: RequestListener = (request, response) => handle(request, response);

  const server = createServer(listener);
  const actualPort = await listen(server, port, '127.0.0.1');
  const servers = [server];
  try {
    servers.push(...(await listenOnIpv6(listener, actualPort)));
    const demo = await createDemo({ port: actualPort });
    const callback = demo.app.callback();
    handle = (request, response) => void callback(request, response);
    return {
      origins: schoolOrigins(actualPort),
      async close() {
        demo.stopping();
        await Promise.all(servers.map(stop));
        await demo.close();
      },
    };
  } catch (error) {
    await Promise.all(servers.map(stop));
    throw error;
  }
}

function notReady(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'Retry-After': '1' }).end();
}

/** Many clients resolve `localhost` to `::1` first. A machine without IPv6 is fine; a port in use is an error. */
async function listenOnIpv6(listener: RequestListener, port: number): Promise<Server[]> {
  const server = createServer(listener);
  try {
    await listen(server, port, '::1');
    return [server];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') throw error;
    return [];
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
