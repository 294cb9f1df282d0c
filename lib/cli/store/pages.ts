import type { CopiedPage, CopiedRecord, StoreTransfer } from '../../records/store-copy.ts';
import type { Terminal } from '../output.ts';

export function isTransferable(value: unknown): value is { transfer(): StoreTransfer } {
  return typeof value === 'object' && value !== null && 'transfer' in value && typeof value.transfer === 'function';
}

/** Goes through a store from a place on, which is empty for its start. Where it fails, it says how to go on. */
export async function pages(
  store: Pick<StoreTransfer, 'page'>,
  start: string,
  terminal: Terminal,
  each: (records: readonly CopiedRecord[]) => Promise<void>,
): Promise<void> {
  let place: string | undefined = start;
  while (place !== undefined) {
    try {
      const page: CopiedPage = await store.page(place);
      await each(page.records);
      place = page.next;
    } catch (error) {
      if (place !== '') terminal.complain(`stopped; go on with --after ${JSON.stringify(place)}`);
      throw error;
    }
  }
}
