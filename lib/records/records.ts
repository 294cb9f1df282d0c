import { RequestTime } from '../kernel/request-time.ts';
import type { Audit } from '../observe/audit.ts';
import { wrapStore } from './observed-store.ts';
import { type RecordStore, recordStore } from './record-store.ts';
import type { Store } from './store.ts';

/** What is stored, and the time that a request may wait for it. */
export interface Records {
  readonly store: RecordStore;
  readonly time: RequestTime;
}

export function createRecords(given: Store, { onFault, telemetry }: Audit): Records {
  const time = new RequestTime((given.deadline ?? Infinity) * 1000);
  return { store: recordStore(wrapStore(given, { time, telemetry, onFault }), onFault, time), time };
}
