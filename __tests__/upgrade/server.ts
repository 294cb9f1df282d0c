import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { CampusKeys, IssuedSecret } from '../../lib/index.ts';
import type { Release } from './releases.ts';

/** What a process needs: the address of the store, and the releases that it serves. */
export interface ServerStart {
  readonly url: string;
  readonly origin: string;
  readonly keys: CampusKeys;
  readonly releases: readonly Release[];
}

export type ServerOrder = 'application' | 'stored' | 'faults';

export interface ServerReply {
  readonly ports?: readonly number[];
  readonly issued?: IssuedSecret | undefined;
  readonly stored?: readonly (readonly [kind: string, record: string])[] | undefined;
  readonly faults?: readonly string[];
}

/** A process of the platform. */
export interface Server {
  /** One for each release. */
  readonly ports: readonly number[];
  order(order: ServerOrder): Promise<ServerReply>;
  close(): Promise<void>;
}

export async function startServer(start: ServerStart): Promise<Server> {
  const child = fork(new URL('./server-process.ts', import.meta.url));
  const gone = once(child, 'exit');
  const fail = ([code]: unknown[]): never => {
    throw new Error(`the process has ended with ${String(code)}`);
  };
  const reply = async (message: ServerStart | ServerOrder): Promise<ServerReply> => {
    const { promise: replied, resolve } = Promise.withResolvers<ServerReply>();
    child.once('message', resolve);
    child.send(message);
    return Promise.race([replied, gone.then(fail)]);
  };
  const { ports = [] } = await reply(start);
  return {
    ports,
    order: reply,
    close: async () => {
      child.disconnect();
      await gone;
    },
  };
}
