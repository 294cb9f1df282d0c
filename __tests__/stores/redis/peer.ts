import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { CampusKeys, CampusOptions } from '../../../lib/index.ts';
import type { Hit, Shot } from './fire.ts';

/** What another process needs to serve the same origin. */
export interface PeerStart {
  readonly redisPort: number;
  readonly origin: string;
  readonly keys: CampusKeys;
  readonly limits?: CampusOptions['limits'];
  /** Where its clock stands still. By default it goes on. */
  readonly now?: number;
  /** Writes records as a later release may: with a member that this one does not know. */
  readonly isLater?: boolean;
}

/** An order to the other process. */
export interface PeerOrder {
  readonly shot: Shot;
  readonly count: number;
}

/** Milliseconds that a call may take when both processes fire at once on a busy machine. */
export const deadline = 30_000;

/** Another process of the same platform. */
export interface Peer {
  /** Posts a form many times at once to its own server. */
  fire(shot: Shot, count: number): Promise<Hit[]>;
  close(): Promise<void>;
}

/** Starts another process. */
export async function startPeer(start: PeerStart): Promise<Peer> {
  const execArgv = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  const child = fork(new URL('./peer-process.ts', import.meta.url), { execArgv });
  const ready = once(child, 'message');
  child.send(start);
  await ready;
  return {
    fire: async (shot, count) => {
      const message = once(child, 'message');
      child.send({ shot, count } satisfies PeerOrder);
      const [result]: { readonly hits: Hit[] }[] = await message;
      return result?.hits ?? [];
    },
    close: async () => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
