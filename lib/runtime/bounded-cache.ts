import { LRUCache } from 'lru-cache';

type Options<V extends {}> = Pick<LRUCache.Options<string, V, unknown>, 'ttl' | 'dispose'>;

/**
 * A cache that forgets the entry that was used least recently when there are more than `max`. With a size for each entry it takes
 * memory as it fills; with `max` alone `lru-cache` takes that of all entries when it is made.
 */
export function boundedCache<V extends {}>(max: number, options: Options<V> = {}): LRUCache<string, V> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1, ...options });
}
