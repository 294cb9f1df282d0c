import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// The ports that systems give to outgoing connections, and to servers that ask for any, begin at 32768.
const [first, end] = [10_000, 32_768];
// Each worker of a run has ports of its own: no other one takes, or tries, the port of a server that is started again.
const workers = 16;
const share = Math.floor((end - first) / workers);
const begin = first + (Number(process.env.JEST_WORKER_ID ?? 0) % workers) * share;

/** A port for a server that has to be told one. Nobody gets it by chance until the server listens, or while it is started again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(begin, begin + share);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, () => server.close(() => done(true)));
  });
}
