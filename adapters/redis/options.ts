import type { RedisClient } from './client.ts';

/** When a redemption or revocation counts as done. */
export interface Durability {
  /** How many replicas must have it. */
  readonly replicas: number;
  /** How long to wait for them, in milliseconds; less than `deadline`. */
  readonly timeout: number;
}

/** Options of `redisStore`. */
export interface RedisStoreOptions {
  /** What every key begins with. @default 'campus' */
  readonly prefix?: string | undefined;
  /** Milliseconds after which a call that has no answer rejects. @default 2000 */
  readonly deadline?: number | undefined;
  /**
   * Has redemptions and revocations confirmed by replicas before they are answered. `docs/storage.md` says what that
   * promises, and what it costs. @default none
   */
  readonly durability?: Durability | undefined;
}

/** The options as read once. */
export interface RedisSettings {
  readonly prefix: string;
  readonly deadline: number;
  readonly durability: Durability | undefined;
}

const methods = ['call', 'pipeline', 'once', 'removeListener'] as const;

/**
 * Checks a client and its options.
 *
 * @throws TypeError that names what is wrong
 */
export function readOptions(client: RedisClient, options: RedisStoreOptions): RedisSettings {
  must(typeof client === 'object' && client !== null, 'client', 'be a Redis or Cluster of ioredis');
  for (const name of methods)
    must(typeof client[name] === 'function', `client.${name}`, 'be a function, as of ioredis');
  must(
    readsFromMasters(client),
    'client.options.scaleReads',
    'be "master": a replica may not know of a revocation yet',
  );
  const { prefix = 'campus', deadline = 2000, durability } = options;
  must(/^[^{}]+$/.test(prefix), 'options.prefix', 'be a non-empty string without { and }');
  must(isWhole(deadline), 'options.deadline', 'be a whole number of milliseconds, at least 1');
  if (durability) {
    must(isWhole(durability.replicas), 'options.durability.replicas', 'be a whole number, at least 1');
    must(
      isWhole(durability.timeout) && durability.timeout < deadline,
      'options.durability.timeout',
      'be a whole number of milliseconds, at least 1 and less than options.deadline',
    );
  }
  return { prefix, deadline, durability: durability && { ...durability } };
}

/** A cluster's client can be set up to read from replicas, which lag behind. */
function readsFromMasters(client: object): boolean {
  const options: unknown = Reflect.get(client, 'options');
  const scaleReads: unknown = typeof options === 'object' && options !== null && Reflect.get(options, 'scaleReads');
  return scaleReads === undefined || scaleReads === false || scaleReads === 'master';
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

function must(ok: boolean, path: string, demand: string): asserts ok {
  if (!ok) throw new TypeError(`${path} must ${demand}`);
}
