import type { StoreObserver } from '../../lib/contracts/store.ts';
import { Circuit } from './circuit.ts';
import { ServerClock } from './clock.ts';
import type { RedisClient, RedisSettings } from './options.ts';
import { ownerOf, owners } from './slots.ts';

/** Milliseconds between two looks for servers that have left, while a circuit is open. */
const pause = 1000;

/** One server: the only one, or a master of a cluster. */
export interface Server {
  readonly circuit: Circuit;
  readonly clock: ServerClock;
}

interface ServersOptions extends Pick<RedisSettings, 'deadline' | 'maxPending'> {
  readonly client: RedisClient;
  readonly connected: () => Promise<void>;
  readonly report: StoreObserver;
}

interface KnownServer extends Server {
  /** What was asked for last: slots move, so an earlier key may be another server's by now. */
  lastKey: string;
  /** The probe that waits for a reply. */
  probe?: { readonly key: string; readonly abandon: (reason: Error) => void };
}

/** Finds the server of a key. Those that own no slot any more are forgotten. */
export class Servers {
  readonly #options: ServersOptions;
  readonly #servers = new Map<string, KnownServer>();
  #nextLook = 0;

  constructor(options: ServersOptions) {
    this.#options = options;
  }

  of(key: string): Server {
    const owner = this.#ownerOf(key);
    let server = this.#servers.get(owner);
    if (!server || this.#isTimeToLook()) this.#followSlots();
    if (!server) {
      server = this.#newServer(owner, key);
      this.#servers.set(owner, server);
    }
    server.lastKey = key;
    return server;
  }

  #ownerOf(key: string): string {
    const { slots } = this.#options.client;
    return slots ? ownerOf(slots, key) : '';
  }

  #isTimeToLook(): boolean {
    const now = performance.now();
    if (now < this.#nextLook) return false;
    this.#nextLook = now + pause;
    return [...this.#servers.values()].some(({ circuit }) => circuit.isOpen);
  }

  /** Nothing else would close the circuit of a server that left, or end a probe whose slot moved to one that hangs. */
  #followSlots(): void {
    const { slots } = this.#options.client;
    if (!slots) return;
    const present = owners(slots);
    for (const [owner, { circuit, probe }] of this.#servers) {
      if (!present.has(owner)) {
        this.#servers.delete(owner);
        circuit.retire();
      } else if (probe && this.#ownerOf(probe.key) !== owner) {
        probe.abandon(new Error(`the slot of ${owner} that was asked for has moved`));
      }
    }
  }

  #newServer(owner: string, lastKey: string): KnownServer {
    const { client, connected, deadline, maxPending, report } = this.#options;
    const name = owner === '' ? 'Redis' : `Redis at ${owner}`;
    const ask = async (key: string): Promise<unknown> => {
      if (client.status !== 'ready') await connected();
      const reply = this.#ownerOf(key) === owner ? client.call('GET', key) : undefined;
      await Promise.allSettled([reply]);
      // The client follows a slot that moves, so the reply may be another server's.
      if (this.#ownerOf(key) === owner) return reply;
      this.#followSlots();
      throw new Error(`${name} was not asked: the slot is another server's`);
    };
    const probe = async (): Promise<unknown> => {
      const { promise: abandoned, reject: abandon } = Promise.withResolvers<never>();
      server.probe = { key: server.lastKey, abandon };
      return Promise.race([ask(server.lastKey), abandoned]).finally(() => delete server.probe);
    };
    const circuit = new Circuit({ name, deadline, maxPending, probe, report });
    const server: KnownServer = { circuit, clock: new ServerClock(), lastKey };
    return server;
  }
}
