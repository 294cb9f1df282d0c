import type * as z from 'zod';
import { reportFault } from '../../observe/faults-to-503.ts';
import type { CampusKeys, CheckedKeys, KeyRing, KeySite, SigningKeys, SiteKeys } from './keys.ts';
import { optionError, readOptions } from '../../kernel/validate.ts';
import type { OnFault } from '../../observe/events.ts';
import { keysSchema, siteKeysSchema } from './options.ts';
import { boundedCache } from '../../kernel/bounded-cache.ts';

const askedEvery = 10_000;

/** A few of thousands of schools are enough to see what is wrong. */
const maxFailures = 100;

interface KeySettings {
  readonly keys: CheckedKeys | (() => CampusKeys);
  readonly siteKeys?: ((site: KeySite) => SiteKeys | null | undefined) | undefined;
  /** How many schools have a ring in memory. */
  readonly engines: number;
}

/** The keys that the options have or return. If a function fails later, the last keys stay in use. @throws TypeError if there are none at startup */
export function createKeyRing({ keys, siteKeys, engines }: KeySettings, onFault: OnFault): KeyRing {
  const failing = new Map<string, string>();
  const report = (what: string, cause?: unknown): void => {
    if (cause === undefined) failing.delete(what);
    else if (failing.size < maxFailures) failing.set(what, `${what} failed: ${messageOf(cause)}`);
  };
  const shared = typeof keys === 'function' ? sharedFrom(keys, { onFault, report }) : () => keys;
  const failures = (): string[] => [...failing.values()];
  if (!siteKeys) return { of: shared, shared, failures };
  const rings = boundedCache<() => CheckedKeys>(engines);
  const sets = boundedCache<CheckedKeys>(engines);
  // Schools with the same keys get the same object, and so share an engine.
  const sameObject = (set: CheckedKeys): CheckedKeys => {
    const text = JSON.stringify(set);
    const known = sets.get(text) ?? set;
    sets.set(text, known);
    return known;
  };
  const ringOf = (site: KeySite): (() => CheckedKeys) => {
    const what = `siteKeys({ id: ${JSON.stringify(site.id)} })`;
    const ask = (): SigningKeys | 'shared' => {
      const given: unknown = siteKeys(site);
      return given === undefined || given === null ? 'shared' : readKeys(siteKeysSchema, given, what);
    };
    return combined(shared, reread(what, ask, { onFault, report }), sameObject);
  };
  const of = ({ id, origin }: KeySite): CheckedKeys => {
    const name = `${id} ${origin}`;
    const ring = rings.get(name) ?? ringOf({ id, origin });
    rings.set(name, ring);
    return ring();
  };
  return { of, shared, failures };
}

function sharedFrom(keys: () => unknown, reports: Reports): () => CheckedKeys {
  const ask = (): CheckedKeys => readKeys(keysSchema, keys(), 'keys()');
  return reread('keys()', ask, reports, ask());
}

/** The same object as long as neither part has changed. */
function combined(
  shared: () => CheckedKeys,
  own: () => SigningKeys | 'shared',
  sameObject: (keys: CheckedKeys) => CheckedKeys,
): () => CheckedKeys {
  let last: { from: CheckedKeys; own: SigningKeys; keys: CheckedKeys } | undefined;
  return () => {
    const [from, signing] = [shared(), own()];
    if (signing === 'shared') return from;
    if (last?.from !== from || last.own !== signing) {
      last = { from, own: signing, keys: sameObject({ ...signing, cookies: from.cookies }) };
    }
    return last.keys;
  };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

interface Reports {
  readonly onFault: OnFault;
  readonly report: (what: string, cause?: unknown) => void;
}

function reread<T extends object | string>(
  what: string,
  ask: () => T,
  { onFault, report }: Reports,
  first?: T,
): () => T {
  let last: { value: T; text: string } | undefined =
    first === undefined ? undefined : { value: first, text: JSON.stringify(first) };
  let asked = last ? Date.now() : -Infinity;
  return () => {
    const now = Date.now();
    // A clock that was set back must not stop it.
    if (last && Math.abs(now - asked) < askedEvery) return last.value;
    try {
      const value = ask();
      const text = JSON.stringify(value);
      last = last?.text === text ? last : { value, text };
      report(what);
    } catch (cause) {
      report(what, cause);
      if (!last) throw reportFault(onFault, what, cause);
      onFault(`${what} failed; the last keys remain`, cause);
    }
    asked = now;
    return last.value;
  };
}

function readKeys<T>(schema: z.ZodType<T>, given: unknown, path: string): T {
  if (given instanceof Promise) {
    // Nobody waits for it.
    given.catch(() => undefined);
    throw optionError(path, 'return keys, not a promise; fetch them on a timer and return the latest keys');
  }
  return readOptions(schema, given, path);
}
