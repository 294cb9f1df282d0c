import type { Health } from '../kernel/finding.ts';

export async function healthOf(ask: () => Promise<void>): Promise<Health> {
  const start = performance.now();
  const failure = await ask().then(
    () => undefined,
    (error: unknown) => ({ reason: reasonOf(error) }),
  );
  return { ok: failure === undefined, milliseconds: performance.now() - start, ...failure };
}

/** What a store says itself. The error around it is what callers get. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
