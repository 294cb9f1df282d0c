import { LRUCache } from 'lru-cache';
import type { ListedKind } from '../contracts/record.ts';
import { parseRecord } from './codec.ts';
import type { RecordOf } from './kinds.ts';

type Cache<K extends ListedKind> = LRUCache<string, RecordOf<K>>;

/** What a record takes beside its text, in characters. */
const overhead = 500;

/** Of at most 4 million characters. */
function cache<K extends ListedKind>(): Cache<K> {
  return new LRUCache({ maxSize: 4_000_000, sizeCalculation: (_record, text) => text.length + overhead });
}

/** Parses the records of lists, which are long and change little: a text that was parsed before is not parsed again. */
export function listedRecordParser(): <K extends ListedKind>(kind: K, text: string) => RecordOf<K> {
  const caches: { readonly [K in ListedKind]: Cache<K> } = {
    Client: cache(),
    DocumentReview: cache(),
    ClientBlock: cache(),
    ConnectedClient: cache(),
  };
  return (kind, text) => {
    const known = caches[kind].get(text);
    if (known) return known;
    const parsed = parseRecord(kind, text);
    caches[kind].set(text, parsed);
    return parsed;
  };
}
