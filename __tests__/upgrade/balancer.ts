import { Agent, request } from 'node:http';
import { pipeline } from 'node:stream';
import { listen } from '../helpers/server.ts';

/** Passes each request on to the next of the ports that it has. */
export interface Balancer {
  readonly origin: string;
  /** From now on requests go there; resolves when none is under way elsewhere. */
  use(ports: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const underWay = new Map<number, Set<Promise<void>>>();
  let ports: readonly number[] = [];
  let count = 0;
  const server = await listen(() => (req, res) => {
    const port = ports[(count += 1) % ports.length] ?? 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const here = underWay.get(port) ?? new Set();
    underWay.set(port, here.add(promise));
    res.once('close', () => {
      here.delete(promise);
      resolve();
    });
    const { method, url, headers } = req;
    const on = request({ port, host: '127.0.0.1', method, path: url, headers, agent }, (reply) => {
      res.writeHead(reply.statusCode ?? 500, reply.rawHeaders);
      pipeline(reply, res, () => undefined);
    });
    on.on('error', (error) => res.writeHead(599).end(String(error)));
    req.pipe(on);
  });
  return {
    origin: `http://localhost:${server.port}`,
    use: async (next) => {
      ports = next;
      const others = [...underWay].filter(([port]) => !next.includes(port));
      await Promise.all(others.flatMap(([, requests]) => [...requests]));
    },
    close: async () => {
      agent.destroy();
      await server.close();
    },
  };
}
