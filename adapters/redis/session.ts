import { withTimeout } from '../../lib/runtime/timeout.ts';
import { type SiteKeys, siteKeys } from './keys.ts';
import type { Argument, RedisClient, RedisSettings } from './options.ts';
import type { Script } from './scripts/lua.ts';

interface ScriptCall {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly Argument[];
  /** Whether replicas must confirm this reply, if the option `durability` is set. @default never */
  readonly durable?: (reply: unknown) => boolean;
}

interface Redis extends RedisSettings {
  readonly client: RedisClient;
  readonly connected: () => Promise<void>;
}

/** Does one call of the store at a site. Rejects with the error of Redis, or after the deadline. */
export type CallRedis = <T>(siteId: string, work: (session: Session) => Promise<T>) => Promise<T>;

export function redisCalls(client: RedisClient, settings: RedisSettings): CallRedis {
  const redis = { ...settings, client, connected: connector(client) };
  return (siteId, work) => {
    const run = async () => work(new Session(redis, siteId));
    return withTimeout(run(), settings.deadline, () => new Error('Redis did not respond in time'));
  };
}

/** What one call of the store may do with Redis within its deadline. */
export class Session {
  readonly keys: SiteKeys;
  readonly #redis: Redis;
  readonly #end: number;

  constructor(redis: Redis, siteId: string) {
    this.keys = siteKeys(redis.prefix, siteId);
    this.#redis = redis;
    this.#end = performance.now() + redis.deadline;
  }

  /** Milliseconds until the deadline. */
  get left(): number {
    return Math.max(0, this.#end - performance.now());
  }

  async command(name: string, ...args: Argument[]): Promise<unknown> {
    const client = await this.#open();
    return client.call(name, ...args);
  }

  /** Runs a script by its digest, and by its text if the server does not have it. */
  async run(call: ScriptCall): Promise<unknown> {
    try {
      return await this.#send('EVALSHA', call.script.sha, call);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return this.#send('EVAL', call.script.text, call);
    }
  }

  async #send(command: string, script: string, { keys, args, durable }: ScriptCall): Promise<unknown> {
    const { durability } = this.#redis;
    const all = [script, keys.length, ...keys, ...args];
    if (!durability || !durable) return this.command(command, ...all);
    const { replicas, timeout } = durability;
    const pipeline = (await this.#open()).pipeline();
    // WAIT covers the writes of its own connection, so both go to the same one. A timeout of 0 would wait for ever.
    pipeline.call(command, ...all);
    pipeline.call('WAIT', replicas, Math.max(1, Math.min(timeout, Math.floor(this.left))));
    const [first, second] = (await pipeline.exec()) ?? [];
    const error = first?.[0] ?? second?.[0];
    if (error || !first || !second) throw error ?? new Error('no reply');
    const confirmed = Number(second[1]);
    if (durable(first[1]) && confirmed < replicas) {
      throw new Error(`written, but confirmed by only ${confirmed} of ${replicas} replicas`);
    }
    return first[1];
  }

  async #open(): Promise<RedisClient> {
    const { client, connected } = this.#redis;
    if (client.status !== 'ready') await connected();
    if (this.left === 0) throw new Error('the deadline passed before the command was sent to Redis');
    return client;
  }
}

/**
 * Waits for a connection, once for any number of calls. Without a connection, nothing is passed to the client: it would
 * queue the command and send it long after the caller has received an error.
 */
function connector(client: RedisClient): () => Promise<void> {
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= untilReady(client).finally(() => {
      waiting = undefined;
    });
    return waiting;
  };
}

async function untilReady(client: RedisClient): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ready = (): void => resolve();
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

function isUnknownScript(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'message' in error && String(error.message).startsWith('NOSCRIPT')
  );
}
