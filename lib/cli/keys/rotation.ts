import type { IdTokenAlgorithm } from '../../core/keys/keys.ts';
import { UsageError } from '../command.ts';
import { type FileKey, type KeyFile, newKey } from './key-file.ts';

/** Clients and proxies keep the published keys, and an ID token is accepted for ten minutes: an hour is enough for both. */
const hour = 60 * 60 * 1000;

/** Where a rotation is. */
export type Stage =
  /** Nothing has begun; `publish` is next. */
  | { readonly step: 'publish' }
  /** A key waits to sign, or one that has signed is still published. */
  | { readonly step: 'sign' | 'remove'; readonly key: FileKey; readonly safeAt: Date | undefined };

/** What the file says about the rotation of an algorithm. A published key that has its private part and is not retired is the next one. */
export function stageOf(keys: KeyFile, algorithm: IdTokenAlgorithm): Stage {
  const isOfIt = ({ alg }: FileKey): boolean => alg === algorithm;
  const signing = keys.signing.filter(isOfIt);
  const published = keys.published.filter(isOfIt);
  const next = published.find(({ d, retired_at }) => d !== undefined && retired_at === undefined);
  if (next) {
    // With no key that signs, no client relies on one: the first may sign at once.
    const safeAt = keys.signing.length === 0 ? new Date(0) : hourAfter(next.published_at);
    return { step: 'sign', key: next, safeAt };
  }
  const last = published[0] ?? signing[1];
  if (last) return { step: 'remove', key: last, safeAt: hourAfter(last.retired_at) };
  return { step: 'publish' };
}

function hourAfter(time: string | undefined): Date | undefined {
  return time === undefined ? undefined : new Date(Date.parse(time) + hour);
}

export interface Step {
  readonly keys: KeyFile;
  readonly kid: string;
  readonly done: 'publish' | 'sign' | 'remove';
}

/**
 * Does the next step for the keys of one algorithm. Specification: ID token verification 6.
 *
 * @throws UsageError if it is too early and not `forced`
 */
export function rotate(
  keys: KeyFile,
  algorithm: IdTokenAlgorithm,
  { now, forced }: { readonly now: Date; readonly forced: boolean },
): Step {
  const stage = stageOf(keys, algorithm);
  if (stage.step === 'publish') {
    const key = newKey(now, algorithm);
    return { keys: { ...keys, published: [...keys.published, key] }, kid: key.kid, done: 'publish' };
  }
  const { step, key, safeAt } = stage;
  if (!forced) refuseEarly(stage, now);
  const others = keys.published.filter(({ kid }) => kid !== key.kid);
  if (step === 'remove') {
    const signing = keys.signing.filter(({ kid }) => kid !== key.kid);
    return { keys: { ...keys, signing, published: others }, kid: key.kid, done: step };
  }
  const before = keys.signing.filter(({ alg }) => alg === algorithm);
  const retired = before.map((old) => ({ ...old, retired_at: now.toISOString() }));
  const next = safeAt === undefined ? { ...key, published_at: now.toISOString() } : key;
  const beside = keys.signing.filter(({ alg }) => alg !== algorithm);
  const signing = algorithm === 'ES256' ? [next, ...beside] : [...beside, next];
  return { keys: { ...keys, signing, published: [...retired, ...others] }, kid: key.kid, done: step };
}

function refuseEarly({ step, key, safeAt }: Exclude<Stage, { step: 'publish' }>, now: Date): void {
  const force = 'If a key has leaked, add --force';
  const why =
    step === 'sign'
      ? 'clients that have not fetched it yet would refuse ID tokens'
      : 'clients may still have ID tokens that it signed';
  if (safeAt === undefined) {
    const since = step === 'sign' ? 'published_at' : 'retired_at';
    throw new UsageError(
      `the file does not say when the key ${key.kid} was ${step === 'sign' ? 'published' : 'retired'}: ${why}. If an hour has passed, add "${since}" to it in the file. ${force}`,
    );
  }
  if (safeAt <= now) return;
  const minutes = Math.ceil((safeAt.getTime() - now.getTime()) / 60_000);
  throw new UsageError(
    `too early: the key ${key.kid} can ${step === 'sign' ? 'sign' : 'be removed'} in ${minutes} minute${minutes === 1 ? '' : 's'}, at ${safeAt.toISOString()}; until then ${why}. ${force}`,
  );
}
