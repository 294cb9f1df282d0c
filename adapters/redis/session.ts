import type { StoreObserver } from '../../lib/contracts/store.ts';
import { attempt, timeLeft, withTimeout } from '../../lib/runtime/timeout.ts';
import { connector } from './connection.ts';
import { SiteKeys } from './keys.ts';
import type { Argument, RedisClient, RedisSettings } from './options.ts';
import type { Script } from './scripts/lua.ts';
import { type Server, Servers } from './servers.ts';

interface ScriptCall {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly Argument[];
  /** Of a script that writes: whether replicas must confirm this result, if the option `durability` is set. @default never */
  readonly durable?: (result: unknown) => boolean;
}

interface Redis extends RedisSettings {
  readonly client: RedisClient;
  readonly connected: () => Promise<void>;
}

/** Does one call of the store at a site. Rejects with the error of Redis, or after the deadline. */
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
  const redis = { ...settings, client, connected: connector(client) };
  const observers: StoreObserver[] = [];
  const report: StoreObserver = (...event) => {
    for (const observer of observers) observer(...event);
  };
  const servers = new Servers({ ...redis, report });
  // Without slots there is one server, whatever the key.
  const only = client.slots ? undefined : servers.of(new SiteKeys(settings.prefix, '').none);
  const callWithin = <T>(deadline: number, siteId: string, work: (session: Session) => Promise<T>): Promise<T> => {
    const keys = new SiteKeys(settings.prefix, siteId);
    const session = new Session(redis, only ?? servers.of(keys.none), keys, deadline);
    return withTimeout(
      attempt(() => work(session)),
      deadline,
      () => session.late(),
    );
  };
  const deadlineNow = (): number => Math.min(settings.deadline, (timeLeft() ?? Infinity) * 1000);
  return {
    call: (siteId, work) => callWithin(deadlineNow(), siteId, work),
    series: () => {
      const deadline = deadlineNow();
      return (siteId, work) => callWithin(deadline, siteId, work);
    },
    observe: (observer) => void observers.push(observer),
  };
}

/** What one call of the store may do with Redis within its deadline. */
export class Session {
  readonly keys: SiteKeys;
  readonly #redis: Redis;
  readonly #server: Server;
  readonly #deadline: number;
  readonly #start = performance.now();

  constructor(redis: Redis, server: Server, keys: SiteKeys, deadline: number) {
    this.keys = keys;
    this.#redis = redis;
    this.#server = server;
    this.#deadline = deadline;
  }

  /** The error when the deadline has passed. */
  late(): Error {
    return this.#server.circuit.late(this.#start, this.#deadline === this.#redis.deadline);
  }

  /** Sends a command that only reads: every write is a script, so that it does nothing when it arrives late. */
  command(name: string, ...args: Argument[]): Promise<unknown> {
    return this.#send((client) => client.call(name, ...args));
  }

  /** Runs a script. */
  run(call: ScriptCall): Promise<unknown> {
    return call.script.writes ? this.#write(call) : this.#evaluate(call);
  }

  async #write(call: ScriptCall): Promise<unknown> {
    const { clock } = this.#server;
    for (let i = 0; i < maxAttempts; i += 1) {
      const args = [...call.args, clock.notAfter(this.#left)];
      const { there, isDone, result } = readWritten(await this.#evaluate({ ...call, args }));
      clock.set(there);
      if (isDone) return result;
    }
    throw new Error('the clock of Redis jumps');
  }

  /** Sends a script by its digest, or by its text if the server does not have it. */
  #evaluate(call: ScriptCall): Promise<unknown> {
    return this.#script('EVALSHA', call.script.sha, call).catch((error: unknown) => {
      if (!isUnknownScript(error)) throw error;
      return this.#script('EVAL', call.script.text, call);
    });
  }

  #script(command: string, script: string, { keys, args, durable }: ScriptCall): Promise<unknown> {
    const { durability } = this.#redis;
    const all = [script, keys.length, ...keys, ...args];
    if (!durability || !durable) return this.command(command, ...all);
    const { replicas, timeout } = durability;
    return this.#send(async (client) => {
      const pipeline = client.pipeline();
      // WAIT covers the writes of its own connection, so both go to the same one. A timeout of 0 would wait for ever.
      pipeline.call(command, ...all);
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
    });
  }

  /** Passes a command to the client once that is connected; at once, without a promise of its own, if it is. */
  #send<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    const { client, connected } = this.#redis;
    const inTime = (): Promise<T> => {
      if (this.#left === 0) throw new Error('the deadline passed before the command was sent to Redis');
      return command(client);
    };
    return this.#server.circuit.send(() => (client.status === 'ready' ? inTime() : connected().then(inTime)));
  }

  /** Milliseconds until the deadline. */
  get #left(): number {
    return Math.max(0, this.#start + this.#deadline - performance.now());
  }
}

/** The reply of a script that writes: see `writeScript`. */
function readWritten(reply: unknown): { there: number; isDone: boolean; result: unknown } {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of a script');
  return { there: Number(reply[0]), isDone: reply[1] === 1, result: reply[2] };
}

function isUnknownScript(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'message' in error && String(error.message).startsWith('NOSCRIPT')
  );
}
