import { LRUCache } from 'lru-cache';
import type { ListedKind, RecordOf } from './record.ts';
import { parseRecord } from './codec.ts';

interface Parsed<K extends ListedKind> {
  readonly kind: K;
  readonly record: RecordOf<K>;
}

/** What a record takes beside its text, in characters. */
const overhead = 500;

/** Parses the records of lists, which are long and change little: a text that was parsed before is not parsed again. */
export function listedRecordParser(): <K extends ListedKind>(kind: K, text: string) => RecordOf<K> {
  const caches = new Map<ListedKind, LRUCache<string, Parsed<ListedKind>>>();
  return (kind, text) => {
    let cache = caches.get(kind);
    if (!cache) {
      cache = new LRUCache({ maxSize: 4_000_000, sizeCalculation: (_parsed, key) => key.length + overhead });
      caches.set(kind, cache);
    }
    const known = cache.get(text);
    if (isOf(kind, known)) return known.record;
    const record = parseRecord(kind, text);
    cache.set(text, { kind, record });
    return record;
  };
}

function isOf<K extends ListedKind>(kind: K, parsed: Parsed<ListedKind> | undefined): parsed is Parsed<K> {
  return parsed?.kind === kind;
}
