import { LRUCache } from 'lru-cache';

interface Options<V extends {}> {
  /** Milliseconds. @default no limit */
  readonly ttl?: number;
  /** Called with each entry that goes. */
  readonly dispose?: (value: V) => void;
}

/** Forgets the entry that was used least recently. With a size for each entry it takes memory as it fills; with `max` alone, at once. */
export function boundedCache<V extends {}>(max: number, options: Options<V> = {}): LRUCache<string, V> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1, ...options });
}
