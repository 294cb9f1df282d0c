import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordKind } from '../../contracts/record.ts';
import type { Store } from '../../contracts/store.ts';

/** The store and the site of one case. */
export interface Bench {
  readonly store: Store;
  readonly school: string;
}

/** A case before it has a store. */
export interface Check {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<void>;
}

/** An id that no other case uses, so that all cases can share one store. */
export function newSite(): string {
  return `site-${randomUUID()}`;
}

/** One check for each row. */
export function each<T>(
  rows: readonly T[],
  name: (row: T) => string,
  run: (bench: Bench, row: T) => Promise<void>,
): Check[] {
  return rows.map((row) => ({ name: name(row), run: (bench) => run(bench, row) }));
}

/** The values of an object: `null` and `undefined` count as absent. */
function values(object: unknown): unknown {
  if (typeof object !== 'object' || object === null) return object ?? undefined;
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined));
}

/** Compares what a store returned, wherever it has `null` for no value. */
export function same(actual: unknown, expected: unknown, what?: string): void {
  assert.deepEqual(Array.isArray(actual) ? actual : values(actual), expected, what);
}

/** Compares some members of what a store returned. */
export function has(actual: object | null | undefined, expected: Readonly<Record<string, unknown>>): void {
  const members: Readonly<Record<string, unknown>> = { ...actual };
  same(Object.fromEntries(Object.keys(expected).map((name) => [name, members[name]])), expected);
}

/** The text of a record, if it is found. */
export async function textOf({ store, school }: Bench, kind: RecordKind, id: string): Promise<string | undefined> {
  return (await store.find(school, kind, id))?.record;
}

export async function exists(bench: Bench, kind: RecordKind, id: string): Promise<boolean> {
  return (await textOf(bench, kind, id)) !== undefined;
}

/** The longest that something may take which a store does by its own clock. */
const patience = 4000;

/** Waits for what time brings. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patience;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `after ${patience / 1000} seconds: ${what}`);
    await sleep(20);
  }
}
