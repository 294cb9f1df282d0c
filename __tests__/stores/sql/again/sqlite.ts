import { DatabaseSync } from 'node:sqlite';
import { sqliteStore } from '../../../../adapters/sqlite/index.ts';
import type { Store } from '../../../../lib/store.ts';
import { withTestClock } from '../../redis/again/test-clock.ts';

/** Replaces the memory store, but in SQLite. */
export function memoryStore(): Store {
  const store = sqliteStore(new DatabaseSync(':memory:'));
  // It has migrated when this returns: SQLite waits for nothing.
  void store.migrate();
  return withTestClock(store);
}
