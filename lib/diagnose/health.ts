import type { Health } from '../contracts/finding.ts';

export async function healthOf(ask: () => Promise<void>): Promise<Health> {
  const start = performance.now();
  const ok = await ask().then(
    () => true,
    () => false,
  );
  return { ok, milliseconds: performance.now() - start };
}
