import { siteName } from '../../lib/records/record.ts';
import type { StoreObserver } from '../../lib/records/store-observer.ts';
import { withTimeout } from '../../lib/kernel/timeout.ts';
import { timeLeft } from '../../lib/kernel/request-time.ts';
import type { Server } from '../shared/database-server.ts';
import { RedisKeys } from './format.ts';
import type { Argument, Durability, RedisClient, RedisSettings } from './options.ts';
import type { Script } from './scripts/lua.ts';
import { Servers } from './servers.ts';

type Command = readonly [name: string, ...args: Argument[]];

/** Whether replicas must confirm this result of a script, if the option `durability` is set. */
type IsDurable = (result: unknown) => boolean;

interface Redis extends RedisSettings {
  readonly client: RedisClient;
  readonly servers: Servers;
}

/** Does one call of the store at a school. Rejects with the error of Redis, or after the deadline. */
export type CallRedis = <T>(siteId: string, work: (session: Session) => Promise<T>) => Promise<T>;

/** Makes the calls, and tells when they are refused. */
export interface RedisCalls {
  readonly call: CallRedis;
  /** Makes any number of calls, each within the time that is left now. */
  readonly series: () => CallRedis;
  readonly observe: (observer: StoreObserver) => void;
}

/** How often a script may be late because the clock was wrong or not yet known, until it is a fault. */
const maxAttempts = 3;

export function redisCalls(client: RedisClient, settings: RedisSettings): RedisCalls {
  const observers: StoreObserver[] = [];
  const servers = new Servers(client, settings, (...event) => {
    for (const observer of observers) observer(...event);
  });
  const redis = { ...settings, client, servers };
  // Without slots there is one server, whatever the key.
  const only = client.slots ? undefined : servers.of(new RedisKeys(settings.prefix, siteName('')).prefix);
  const series = (): CallRedis => {
    const deadline = Math.min(settings.deadline, (timeLeft() ?? Infinity) * 1000);
    return (siteId, work) => {
      const keys = new RedisKeys(settings.prefix, siteName(siteId));
      const session = new Session(redis, only ?? servers.of(keys.prefix), keys, deadline);
      return withTimeout(work(session), deadline, () => session.late());
    };
  };
  return {
    call: (siteId, work) => series()(siteId, work),
    series,
    observe: (observer) => void observers.push(observer),
  };
}

/** What one call of the store may do with Redis within its deadline. */
export class Session {
  readonly keys: RedisKeys;
  readonly #redis: Redis;
  readonly #server: Server;
  readonly #deadline: number;
  readonly #start = performance.now();

  constructor(redis: Redis, server: Server, keys: RedisKeys, deadline: number) {
    this.keys = keys;
    this.#redis = redis;
    this.#server = server;
    this.#deadline = deadline;
  }

  late(): Error {
    return this.#server.late(this.#start, this.#deadline === this.#redis.deadline);
  }

  /** Sends a command that only reads: every write is a script, so that it does nothing when it arrives late. */
  command(...command: Command): Promise<unknown> {
    return this.#send(command);
  }

  /** Runs a script once: `write` is for those that write. Sends its digest, or its text if the server does not have it. */
  async evaluate(
    { sha, text }: Script,
    keys: readonly string[],
    args: readonly Argument[],
    durable?: IsDurable,
  ): Promise<unknown> {
    const rest = [keys.length, ...keys, ...args];
    try {
      return await this.#send(['EVALSHA', sha, ...rest], durable);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.#send(['EVAL', text, ...rest], durable);
    }
  }

  /** Runs a script of `writeScript`. */
  async write(
    script: Script,
    keys: readonly string[],
    args: readonly Argument[],
    durable?: IsDurable,
  ): Promise<unknown> {
    for (let i = 0; i < maxAttempts; i += 1) {
      const reply = await this.evaluate(script, keys, [...args, this.#server.notAfter(this.#left)], durable);
      const { serverTime, isDone, result } = readWritten(reply);
      this.#server.setClock(serverTime);
      if (isDone) return result;
    }
    throw new Error('the clock of Redis is unstable');
  }

  /** Passes a command to the client once that is connected. */
  async #send(command: Command, durable?: IsDurable): Promise<unknown> {
    const { client, servers, durability } = this.#redis;
    this.#server.enter();
    try {
      if (client.status !== 'ready') await servers.connected();
      if (this.#left === 0) throw new Error('the deadline passed before the command was sent to Redis');
      return await (durability && durable ? this.#confirmed(command, durability, durable) : client.call(...command));
    } catch (error) {
      throw withAdvice(error);
    } finally {
      this.#server.leave();
    }
  }

  async #confirmed(command: Command, { replicas, timeout }: Durability, durable: IsDurable): Promise<unknown> {
    const pipeline = this.#redis.client.pipeline();
    // WAIT covers the writes of its own connection, so both go to the same one. A timeout of 0 would wait for ever.
    pipeline.call(...command);
    pipeline.call('WAIT', replicas, Math.max(1, Math.min(timeout, Math.floor(this.#left))));
    const [first, second] = (await pipeline.exec()) ?? [];
    const error = first?.[0] ?? second?.[0];
    if (error || !first || !second) throw error ?? new Error('no reply');
    const confirmed = Number(second[1]);
    const { isDone, result } = readWritten(first[1]);
    if (isDone && durable(result) && confirmed < replicas) {
      throw new Error(`written, but confirmed by only ${confirmed} of ${replicas} replicas`);
    }
    return first[1];
  }

  /** Milliseconds until the deadline. */
  get #left(): number {
    return Math.max(0, this.#start + this.#deadline - performance.now());
  }
}

/** Redis does not say which command of a script the user may not run. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof Error && error.message.includes('The user executing the script'))) return error;
  return new Error(`${error.message} campus.diagnose() names the commands that the user lacks.`, { cause: error });
}

/** The reply of a script that writes: see `writeScript`. */
function readWritten(reply: unknown): { serverTime: number; isDone: boolean; result: unknown } {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of a script');
  return { serverTime: Number(reply[0]), isDone: reply[1] === 1, result: reply[2] };
}
