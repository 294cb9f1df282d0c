import * as z from 'zod';
import { group, instance, type Members, methods, refuse, whole } from '../../lib/protocol/option-schemas.ts';
import { readOptions } from '../../lib/protocol/validate.ts';
import type { RedisClient } from './client.ts';

/** When a redemption or revocation counts as done. */
export interface Durability {
  /** How many replicas must confirm it. */
  readonly replicas: number;
  /** How long to wait for them, in milliseconds; less than `deadline`. */
  readonly timeout: number;
}

/** Options of `redisStore`. */
export interface RedisStoreOptions {
  /** The start of every key. @default 'campus' */
  readonly prefix?: string | undefined;
  /** Milliseconds after which a call without a reply rejects. @default 2000 */
  readonly deadline?: number | undefined;
  /**
   * Wait until replicas have confirmed a redemption or revocation. `docs/storage.md` describes what that guarantees and
   * what it costs. @default none
   */
  readonly durability?: Durability | undefined;
}

type RedisSettings = RedisStoreOptions & { readonly prefix: string; readonly deadline: number };

const demand = 'be a function, as of ioredis';

const clientSchema = instance<RedisClient>(
  {
    ...methods(['call', 'pipeline', 'once', 'removeListener'], demand),
    // Of a cluster.
    options: z
      .looseObject({
        scaleReads: z
          .custom(
            (reads) => reads === undefined || reads === false || reads === 'master',
            'be "master": a replica may not have a revocation yet',
          )
          .optional(),
      })
      .optional(),
  },
  'be a Redis or Cluster of ioredis',
);

const maxDeadline = 600_000;

const milliseconds = whole('whole number of milliseconds', 1, maxDeadline);

/** @internal */
export const redisStoreSchema: z.ZodType<RedisSettings> = group({
  prefix: z
    .string('be a non-empty string without { and }')
    .regex(/^[^{}]+$/)
    .default('campus')
    .describe('The start of every key.'),
  deadline: milliseconds.default(2000).describe('After which a call without a reply rejects.'),
  durability: group({
    replicas: whole('whole number', 1, 100).describe('How many replicas must confirm.'),
    timeout: milliseconds.describe('How long to wait for them; less than `deadline`.'),
  } satisfies Members<Durability>)
    .optional()
    .describe('Wait until replicas have confirmed a redemption or revocation.'),
} satisfies Members<RedisStoreOptions>)
  .check((payload) => {
    const { deadline, durability } = payload.value;
    if (durability === undefined || durability.timeout < deadline) return;
    const wrong = 'be a whole number of milliseconds, at least 1 and less than options.deadline';
    refuse(payload, ['durability', 'timeout'], wrong);
  })
  .prefault({});

/**
 * Checks a client and its options.
 *
 * @throws TypeError that names what is wrong
 */
export function readRedisOptions(client: RedisClient, options: RedisStoreOptions): RedisSettings {
  readOptions(clientSchema, client, 'client');
  return readOptions(redisStoreSchema, options, 'options');
}
