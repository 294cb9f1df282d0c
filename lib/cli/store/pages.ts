import type { LogStore } from '../../records/log.ts';
import type { CopiedPage, CopiedRecord, StoreTransfer } from '../../records/store-copy.ts';

/** A store of which `store copy` can make a copy. */
interface Transferable extends Partial<Pick<LogStore, 'writeLog' | 'readLog'>> {
  transfer(): StoreTransfer;
}

export function isTransferable(value: unknown): value is Transferable {
  return typeof value === 'object' && value !== null && 'transfer' in value && typeof value.transfer === 'function';
}

/** Goes through a store from a place on, which is empty for its start. `stoppedAt` learns where it fails. */
export async function pages(
  store: StoreTransfer,
  start: string,
  each: (records: readonly CopiedRecord[]) => Promise<void>,
  stoppedAt?: (place: string) => void,
): Promise<void> {
  let next: string | undefined = start;
  while (next !== undefined) {
    const place: string = next;
    try {
      const page: CopiedPage = await store.page(place);
      await each(page.records);
      ({ next } = page);
    } catch (error) {
      stoppedAt?.(place);
      throw error;
    }
  }
}
