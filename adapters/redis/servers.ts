import type { StoreObserver } from '../../lib/records/store-observer.ts';
import { Server } from '../shared/database-server.ts';
import type { RedisClient, RedisSettings } from './options.ts';

/** Milliseconds between two searches for servers that have left, while a circuit is open. */
const pause = 1000;

const slotCount = 16_384;

interface KnownServer {
  readonly server: Server;
  /** What was asked for last: slots move, so an earlier key may be another server's by now. */
  lastKey: string;
  probe?: { readonly key: string; readonly abandon: (reason: Error) => void };
}

/** Finds the server of a key: the only one, or a master of a cluster. Those without slots are forgotten. */
export class Servers {
  readonly #client: RedisClient;
  readonly #settings: RedisSettings;
  readonly #report: StoreObserver;
  readonly #servers = new Map<string, KnownServer>();
  #nextLook = 0;
  #connecting: Promise<void> | undefined;

  constructor(client: RedisClient, settings: RedisSettings, report: StoreObserver) {
    this.#client = client;
    this.#settings = settings;
    this.#report = report;
  }

  of(key: string): Server {
    const owner = this.#ownerOf(key);
    let known = this.#servers.get(owner);
    if (!known || this.#isTimeToLook()) this.#followSlots();
    if (!known) this.#servers.set(owner, (known = this.#newServer(owner, key)));
    known.lastKey = key;
    return known.server;
  }

  /**
   * Waits for a connection, once for any number of calls. Without a connection, nothing is passed to the client: it would
   * queue the command and send it long after the caller has received an error.
   */
  connected(): Promise<void> {
    this.#connecting ??= untilReady(this.#client).finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  #ownerOf(key: string): string {
    const { slots } = this.#client;
    return slots ? ownerOf(slots, key) : '';
  }

  #isTimeToLook(): boolean {
    const now = performance.now();
    if (now < this.#nextLook) return false;
    this.#nextLook = now + pause;
    return [...this.#servers.values()].some(({ server }) => server.isCircuitOpen);
  }

  /** Nothing else would close the circuit of a server that left, or end a probe whose slot moved to one that hangs. */
  #followSlots(): void {
    const { slots } = this.#client;
    if (!slots) return;
    const owners = new Set(Array.from({ length: slotCount }, (_, slot) => slots[slot]?.[0] ?? ''));
    for (const [owner, { server, probe }] of this.#servers) {
      if (!owners.has(owner)) {
        this.#servers.delete(owner);
        server.retire();
      } else if (probe && this.#ownerOf(probe.key) !== owner) {
        probe.abandon(new Error(`the slot of ${owner} that was asked for has moved`));
      }
    }
  }

  #newServer(owner: string, lastKey: string): KnownServer {
    const name = owner === '' ? 'Redis' : `Redis at ${owner}`;
    const ask = async (key: string): Promise<unknown> => {
      if (this.#client.status !== 'ready') await this.connected();
      const reply = this.#ownerOf(key) === owner ? this.#client.call('GET', key) : undefined;
      await Promise.allSettled([reply]);
      // The client follows a slot that moves, so the reply may be another server's.
      if (this.#ownerOf(key) === owner) return reply;
      this.#followSlots();
      throw new Error(`${name} was not asked: the slot is another server's`);
    };
    const probe = (): Promise<unknown> => {
      const { promise: abandoned, reject: abandon } = Promise.withResolvers<never>();
      const key = known.lastKey;
      known.probe = { key, abandon };
      return Promise.race([ask(key), abandoned]).finally(() => delete known.probe);
    };
    const known: KnownServer = {
      server: new Server({ ...this.#settings, name, probe, isReply, report: this.#report }),
      lastKey,
    };
    return known;
  }
}

/** Whether Redis itself replied with this error, so that it responds. */
function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

async function untilReady(client: RedisClient): Promise<void> {
  const { promise, resolve: ready, reject } = Promise.withResolvers<void>();
  const ended = (): void => reject(new Error('the Redis client was closed'));
  if (client.status === 'end') ended();
  // A client made with `lazyConnect` connects at its first command.
  if (client.status === 'wait') client.call('PING').catch(() => {});
  client.once('ready', ready);
  client.once('end', ended);
  await promise.finally(() => {
    client.removeListener('ready', ready);
    client.removeListener('end', ended);
  });
}

/** The master that has a key; nothing if it is not known yet. */
export function ownerOf(slots: readonly (readonly string[] | undefined)[], key: string): string {
  return slots[slotOf(key)]?.[0] ?? '';
}

/** The slot of a key in a cluster: the CRC-16/XMODEM of its hash tag. */
function slotOf(key: string): number {
  const tag = key.slice(key.indexOf('{') + 1, key.indexOf('}'));
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc % slotCount;
}
