/** An argument of a Redis command. */
export type Argument = string | number;

/** The part of an ioredis pipeline that the store uses: commands that go to one connection together. */
export interface RedisPipeline {
  call(command: string, ...args: Argument[]): unknown;
  exec(): Promise<[error: Error | null, reply: unknown][] | null>;
}

/**
 * The part of an ioredis 5 or 6 client that the store uses, so that any copy of ioredis fits. You open, configure and
 * close the client.
 */
export interface RedisClient {
  /** `ready`, `wait`, `connecting`, `reconnecting`, `end`, … */
  readonly status: string;
  call(command: string, ...args: Argument[]): Promise<unknown>;
  pipeline(): RedisPipeline;
  once(event: 'ready' | 'end', listener: () => void): unknown;
  removeListener(event: 'ready' | 'end', listener: () => void): unknown;
}
