import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts another process on a database: the URL of a PostgreSQL, or the file of a SQLite. It takes a `Shot`, and replies. */
export async function startPeer(database: string): Promise<ChildProcess> {
  const execArgv = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  const peer = fork(new URL('./peer-process.ts', import.meta.url), { execArgv });
  const ready = once(peer, 'message');
  peer.send({ database });
  await ready;
  return peer;
}
