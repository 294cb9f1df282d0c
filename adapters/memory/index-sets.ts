import type { RecordKind } from '../../lib/contracts/store.ts';

/** The name of a record within a site. */
export function name(kind: RecordKind, id: string): string {
  return `${kind}:${id}`;
}

/** Adds a name to those under another. */
export function link(index: Map<string, Set<string>>, of: string, key: string): void {
  const keys = index.get(of) ?? new Set();
  keys.add(key);
  index.set(of, keys);
}

/** Takes a name from those under another. */
export function unlink(index: Map<string, Set<string>>, of: string, key: string): void {
  const keys = index.get(of);
  keys?.delete(key);
  if (keys?.size === 0) index.delete(of);
}
