import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import type { SqlStore } from '../../lib/records/maintenance.ts';

/** Two stores for the command line: one has three live records and two that have expired, the other has none. */
export interface TwoStores {
  /** The modules that export them. */
  readonly files: { readonly live: string; readonly empty: string };
  readonly stores: { live: SqlStore; empty: SqlStore };
  /** How many of the live records are there. */
  count(): Promise<number>;
  /** Both as they were at first. */
  reset(): Promise<void>;
  remove(): void;
}

export async function twoStores(): Promise<TwoStores> {
  const dir = mkdtempSync(join(tmpdir(), 'campus-two-stores-'));
  const stores = { live: await newStore(), empty: await newStore() };
  // A module is imported once, and the store that it exports changes.
  Reflect.set(globalThis, 'twoStores', stores);
  const fileOf = (name: keyof typeof stores): string => {
    const file = join(dir, `${name}.mjs`);
    const handler = `{ has: () => true, get: (_, name) => globalThis.twoStores.${name}[name] }`;
    writeFileSync(file, `export const store = new Proxy({}, ${handler});`);
    return file;
  };
  const files = { live: fileOf('live'), empty: fileOf('empty') };
  return {
    files,
    stores,
    count: async () => {
      const found = await Promise.all(live.map((id) => stores.live.find('school', 'Session', id)));
      return found.filter((each) => each !== undefined).length;
    },
    reset: async () => {
      Object.assign(stores, { live: await newStore(), empty: await newStore() });
      for (const id of live) await stores.live.save('school', { kind: 'Session', id, record: 's', ttl: 3600 });
      for (const id of expired) await stores.live.save('school', { kind: 'Session', id, record: 's', ttl: 0 });
    },
    remove: () => rmSync(dir, { recursive: true }),
  };
}

const live = ['a', 'b', 'c'];
const expired = ['d', 'e'];

async function newStore(): Promise<SqlStore> {
  const store = sqliteStore(new DatabaseSync(':memory:'));
  await store.migrate();
  return store;
}
