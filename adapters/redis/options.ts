import * as z from 'zod';
import { group, instance, type Shape, methods, refuse, whole } from '../../lib/kernel/option-schemas.ts';
import { readOptions } from '../../lib/kernel/validate.ts';

/** An argument of a Redis command. */
export type Argument = string | number;

/** The part of an ioredis pipeline that the store uses: commands that go to one connection together. */
export interface RedisPipeline {
  call(command: string, ...args: Argument[]): unknown;
  exec(): Promise<[error: Error | null, reply: unknown][] | null>;
}

/** What sends commands to one server. */
export interface RedisServer {
  call(command: string, ...args: Argument[]): Promise<unknown>;
}

/**
 * The part of an ioredis 5 or 6 client that the store uses, so that any copy of ioredis fits. You open, configure and
 * close the client.
 */
export interface RedisClient extends RedisServer {
  /** `ready`, `wait`, `connecting`, `reconnecting`, `end`, … */
  readonly status: string;
  /** The master and the replicas of each slot of a cluster, as `host:port`. */
  readonly slots?: readonly (readonly string[] | undefined)[];
  /** The masters of a cluster. */
  nodes?(role: 'master'): readonly RedisServer[];
  pipeline(): RedisPipeline;
  once(event: 'ready' | 'end', listener: () => void): unknown;
  removeListener(event: 'ready' | 'end', listener: () => void): unknown;
}

/** When a redemption or revocation counts as done. */
export interface Durability {
  /** The number of replicas that must confirm it. */
  readonly replicas: number;
  /** The time to wait for them, in milliseconds. It must be less than `deadline`. */
  readonly timeout: number;
}

/** Options of `redisStore`. */
export interface RedisStoreOptions {
  /** The start of every key. @default 'campus' */
  readonly prefix?: string | undefined;
  /** Time after which a call without a reply rejects, in milliseconds. @default 2000 */
  readonly deadline?: number | undefined;
  /**
   * The number of commands that may wait for a reply of one server. Further calls reject immediately. `docs/operate/redis.md` describes
   * what happens when Redis does not respond. @default 1000
   */
  readonly maxPending?: number | undefined;
  /**
   * Waits until replicas have confirmed a redemption or revocation. `docs/operate/redis.md` describes the guarantee and its cost. @default
   * none
   */
  readonly durability?: Durability | undefined;
}

const demand = 'be a function, as of ioredis';

/** An option of a cluster. */
const scaleReads = z.literal([undefined, false, 'master'], 'be "master": a replica may not have a revocation yet');

const clientSchema = instance<RedisClient>(
  {
    ...methods(['call', 'pipeline', 'once', 'removeListener'], demand),
    options: z.looseObject({ scaleReads: scaleReads.optional() }).optional(),
  },
  'be a Redis or Cluster of ioredis',
);

const milliseconds = whole('whole number of milliseconds', 1, 600_000);

/** @internal */
export const redisStoreSchema = group({
  prefix: z
    .string('be a non-empty string without { and }')
    .regex(/^[^{}]+$/)
    .default('campus'),
  deadline: milliseconds.default(2000),
  maxPending: whole('whole number of commands', 1, 1_000_000).default(1000),
  durability: group({
    replicas: whole('whole number', 1, 100),
    timeout: milliseconds,
  } satisfies Shape<Durability>).optional(),
} satisfies Shape<RedisStoreOptions>)
  .check((payload) => {
    const { deadline, durability } = payload.value;
    if (durability === undefined || durability.timeout < deadline) return;
    const wrong = 'be a whole number of milliseconds, at least 1 and less than deadline';
    refuse(payload, ['durability', 'timeout'], wrong);
  })
  .prefault({});

/** @internal */
export type RedisSettings = z.infer<typeof redisStoreSchema>;

/** @throws TypeError that names what is wrong @internal */
export function readRedisOptions(client: RedisClient, options: RedisStoreOptions): RedisSettings {
  readOptions(clientSchema, client, 'redisStore.client');
  return readOptions(redisStoreSchema, options, 'redisStore.options');
}
