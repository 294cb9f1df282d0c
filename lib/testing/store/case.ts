import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordKind } from '../../records/record.ts';
import type { Store } from '../../records/store.ts';

/** A method of the store, at the site of a bench. */
type AtSite<Method> = Method extends (siteId: string, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never;

/** A store at one site. By default no other case uses that site, so all cases can share one store. */
export class Bench {
  readonly store: Store;
  readonly siteId: string;
  readonly find: AtSite<Store['find']> = (...args) => this.store.find(this.siteId, ...args);
  readonly save: AtSite<Store['save']> = (...args) => this.store.save(this.siteId, ...args);
  readonly remove: AtSite<Store['remove']> = (...args) => this.store.remove(this.siteId, ...args);
  readonly redeem: AtSite<Store['redeem']> = (...args) => this.store.redeem(this.siteId, ...args);
  readonly list: AtSite<Store['list']> = (...args) => this.store.list(this.siteId, ...args);
  readonly grantIds: AtSite<Store['grantIds']> = (...args) => this.store.grantIds(this.siteId, ...args);
  readonly countGrants: AtSite<Store['countGrants']> = (...args) => this.store.countGrants(this.siteId, ...args);
  readonly clientsByUse: AtSite<Store['clientsByUse']> = (...args) => this.store.clientsByUse(this.siteId, ...args);
  readonly grantsOf: AtSite<Store['grantsOf']> = (...args) => this.store.grantsOf(this.siteId, ...args);
  readonly endFamily: AtSite<Store['endFamily']> = (...args) => this.store.endFamily(this.siteId, ...args);
  readonly revoke: AtSite<Store['revoke']> = (...args) => this.store.revoke(this.siteId, ...args);
  readonly consumeQuota: AtSite<Store['consumeQuota']> = (...args) => this.store.consumeQuota(this.siteId, ...args);

  constructor(store: Store, siteId = `site-${randomUUID()}`) {
    this.store = store;
    this.siteId = siteId;
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
