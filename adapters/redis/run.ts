import type { Argument, RedisClient } from './client.ts';
import { Deadline, Gate } from './deadline.ts';
import type { Durability } from './options.ts';
import type { Script } from './scripts/script.ts';

/** A script with its keys and arguments. */
export interface ScriptCall {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly Argument[];
  /** Whether replicas must confirm this reply, if the option `durability` is set. @default never */
  readonly durable?: (reply: unknown) => boolean;
}

/** What one call of the store may do with Redis within its deadline. */
export class Session {
  readonly #client: RedisClient;
  readonly #gate: Gate;
  readonly #deadline: Deadline;
  readonly #durability: Durability | undefined;

  constructor(client: RedisClient, gate: Gate, deadline: Deadline, durability: Durability | undefined) {
    this.#client = client;
    this.#gate = gate;
    this.#deadline = deadline;
    this.#durability = durability;
  }

  /** Milliseconds left. */
  get left(): number {
    return this.#deadline.left;
  }

  async command(name: string, ...args: Argument[]): Promise<unknown> {
    await this.#open();
    return this.#client.call(name, ...args);
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
    const all = [script, keys.length, ...keys, ...args];
    if (!this.#durability || !durable) return this.command(command, ...all);
    const { reply, replicas } = await this.#sendAndWait(command, all, this.#durability);
    if (durable(reply) && replicas < this.#durability.replicas) {
      throw new Error(`written, but confirmed by only ${replicas} of ${this.#durability.replicas} replicas`);
    }
    return reply;
  }

  /** WAIT covers the writes of its own connection, so both go to the same one. */
  async #sendAndWait(command: string, args: readonly Argument[], { replicas, timeout }: Durability) {
    await this.#open();
    const pipeline = this.#client.pipeline();
    pipeline.call(command, ...args);
    // A timeout of 0 would wait for ever.
    pipeline.call('WAIT', replicas, Math.max(1, Math.min(timeout, Math.floor(this.left))));
    const [first, second] = (await pipeline.exec()) ?? [];
    const error = first?.[0] ?? second?.[0];
    if (error || !first || !second) throw error ?? new Error('no reply');
    return { reply: first[1], replicas: Number(second[1]) };
  }

  async #open(): Promise<void> {
    if (!this.#gate.isOpen) await this.#gate.open();
    if (this.left === 0) throw new Error('the deadline passed before the command was sent to Redis');
  }
}

/** Runs calls of the store, each within the deadline. */
export class Runner {
  readonly #client: RedisClient;
  readonly #gate: Gate;
  readonly #deadline: number;
  readonly #durability: Durability | undefined;

  constructor(client: RedisClient, deadline: number, durability: Durability | undefined) {
    this.#client = client;
    this.#gate = new Gate(client);
    this.#deadline = deadline;
    this.#durability = durability;
  }

  /** Runs one call. Rejects with the error of Redis, or when the deadline has passed. */
  call<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const deadline = new Deadline(this.#deadline);
    return deadline.within(work(new Session(this.#client, this.#gate, deadline, this.#durability)));
  }
}

function isUnknownScript(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'message' in error && String(error.message).startsWith('NOSCRIPT')
  );
}
