/** An argument of a Redis command. */
export type Argument = string | number;

/** What is used of a pipeline: commands that go to one connection together. */
export interface RedisPipeline {
  call(command: string, ...args: Argument[]): unknown;
  exec(): Promise<[error: Error | null, reply: unknown][] | null>;
}

/**
 * A live client of ioredis 5 or 6, `Redis` or `Cluster`, by what is used of it: two copies of ioredis may be installed.
 * Opening, closing and configuring it is yours.
 */
export interface RedisClient {
  /** `ready`, `wait`, `connecting`, `reconnecting`, `end`, … */
  readonly status: string;
  call(command: string, ...args: Argument[]): Promise<unknown>;
  pipeline(): RedisPipeline;
  once(event: 'ready' | 'end', listener: () => void): unknown;
  removeListener(event: 'ready' | 'end', listener: () => void): unknown;
}
