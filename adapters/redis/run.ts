import type { Argument, RedisClient } from './client.ts';
import { Deadline, Gate } from './deadline.ts';
import type { Durability } from './options.ts';
import type { Script } from './scripts/script.ts';

/** What a call of the store may do with Redis, while its time lasts. */
export interface Session {
  /** Milliseconds that are left. */
  readonly left: number;
  /** One command. */
  command(name: string, ...args: Argument[]): Promise<unknown>;
  /** One script, whether or not the server has it still. */
  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown>;
  /** One script whose writes are to be confirmed by replicas, where that is asked for. */
  runDurably(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown>;
}

/** Runs calls of the store over a client, each within the deadline. */
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

  /** Runs one call; rejects with what Redis says is wrong, or when the deadline has passed. */
  call<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const deadline = new Deadline(this.#deadline);
    return deadline.within(work(this.#session(deadline)));
  }

  #session(deadline: Deadline): Session {
    const command = async (name: string, ...args: Argument[]): Promise<unknown> => {
      await this.#open(deadline);
      return this.#client.call(name, ...args);
    };
    const run: Session['run'] = async ({ sha, text }, keys, args) => {
      try {
        return await command('EVALSHA', sha, keys.length, ...keys, ...args);
      } catch (error) {
        if (!isUnknownScript(error)) throw error;
        return command('EVAL', text, keys.length, ...keys, ...args);
      }
    };
    return {
      get left() {
        return deadline.left;
      },
      command,
      run,
      runDurably: this.#durability ? (...call) => this.#confirmed(deadline, this.#durability, ...call) : run,
    };
  }
}
