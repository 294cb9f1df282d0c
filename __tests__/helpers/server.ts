import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

/** A listening server on this machine. */
export interface TestServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a server on a free port; `listener` may be set later, once the port is known. */
export async function listen(
  listener: (port: number) => RequestListener | Promise<RequestListener>,
): Promise<TestServer> {
  // Kept as long as a client wants: one that is closed for idleness as a client uses it again fails that request.
  const server = createServer({ keepAliveTimeout: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const handle = await listenerOrClose(server, () => listener(address.port));
  server.on('request', handle);
  return {
    port: address.port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A listener that cannot be made leaves no open server behind. */
async function listenerOrClose(
  server: Server,
  make: () => RequestListener | Promise<RequestListener>,
): Promise<RequestListener> {
  try {
    return await make();
  } catch (error) {
    server.close();
    throw error;
  }
}
