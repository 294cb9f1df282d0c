import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordKind } from '../../records/record.ts';
import type { Store } from '../../records/store.ts';

/** A store at one school. By default no other case uses that school, so all cases can share one store. */
export class Bench {
  readonly store: Store;
  readonly siteId: string;
  readonly find;
  readonly save;
  readonly remove;
  readonly redeem;
  readonly list;
  readonly grantIds;
  readonly countGrants;
  readonly clientsByUse;
  readonly grantsOf;
  readonly endFamily;
  readonly revoke;
  readonly consumeQuota;

  constructor(store: Store, siteId = `site-${randomUUID()}`) {
    this.store = store;
    this.siteId = siteId;
    this.find = store.find.bind(store, siteId);
    this.save = store.save.bind(store, siteId);
    this.remove = store.remove.bind(store, siteId);
    this.redeem = store.redeem.bind(store, siteId);
    this.list = store.list.bind(store, siteId);
    this.grantIds = store.grantIds.bind(store, siteId);
    this.countGrants = store.countGrants.bind(store, siteId);
    this.clientsByUse = store.clientsByUse.bind(store, siteId);
    this.grantsOf = store.grantsOf.bind(store, siteId);
    this.endFamily = store.endFamily.bind(store, siteId);
    this.revoke = store.revoke.bind(store, siteId);
    this.consumeQuota = store.consumeQuota.bind(store, siteId);
  }

  elsewhere(): Bench {
    return new Bench(this.store);
  }

  async textOf(kind: RecordKind, id: string): Promise<string | undefined> {
    return (await this.find(kind, id))?.record;
  }

  async exists(kind: RecordKind, id: string): Promise<boolean> {
    return (await this.textOf(kind, id)) !== undefined;
  }
}

/** Cases by their names, before they have a store. */
export type Checks = Readonly<Record<string, (bench: Bench) => Promise<void>>>;

export function each<T>(
  rows: readonly T[],
  name: (row: T) => string,
  run: (bench: Bench, row: T) => Promise<void>,
): Checks {
  return Object.fromEntries(rows.map((row) => [name(row), (bench: Bench) => run(bench, row)]));
}

/** The values of an object: `null` and `undefined` count as absent. */
function values(object: unknown): unknown {
  if (typeof object !== 'object' || object === null) return object ?? undefined;
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined));
}

/** Compares what a store returned, wherever it has `null` for no value. */
export function same(actual: unknown, expected: unknown): void {
  assert.deepEqual(Array.isArray(actual) ? actual : values(actual), expected);
}

/** Compares some members of what a store returned. */
export function has(actual: object | null | undefined, expected: Readonly<Record<string, unknown>>): void {
  const members: Readonly<Record<string, unknown>> = { ...actual };
  same(Object.fromEntries(Object.keys(expected).map((name) => [name, members[name]])), expected);
}

/** The longest that something may take which a store does by its own clock. */
const patience = 10_000;

export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patience;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `after ${patience / 1000} seconds: ${what}`);
    await sleep(20);
  }
}
