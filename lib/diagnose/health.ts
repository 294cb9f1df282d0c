import { randomUUID } from 'node:crypto';
import type { Health } from '../kernel/finding.ts';
import { serializeRecord } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';

export async function healthOf(ask: () => Promise<void>): Promise<Health> {
  const start = performance.now();
  const failure = await ask().then(
    () => undefined,
    (error: unknown) => ({ reason: reasonOf(error) }),
  );
  return { ok: failure === undefined, milliseconds: performance.now() - start, ...failure };
}

/** Seconds after which the record is gone if the process ends before it removes it. */
const ttl = 60;

/** Writes a record of its own and removes it: the store may permit one and not the other. */
export async function writeAndRemove(store: RecordStore): Promise<void> {
  const [kind, id] = ['KeyFingerprints', `health ${randomUUID()}`] as const;
  await store.save('', { kind, id, record: serializeRecord(kind, { salt: '', sets: {} }), ttl });
  await store.remove('', kind, id);
}

/** What a store says itself. The error around it is what callers get. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
