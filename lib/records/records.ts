import { RequestTime } from '../kernel/request-time.ts';
import type { Audit } from '../observe/audit.ts';
import { wrapStore } from './observed-store.ts';
import { type RecordStore, recordStore } from './record-store.ts';
import type { AfterEnd, AfterWrite, BeforeRevoke } from './store-hooks.ts';
import type { Store } from './store.ts';

/** What is stored, and the time that a request may wait for it. */
export interface Records {
  readonly store: RecordStore;
  readonly time: RequestTime;
  /** Called, in order, before grants end. What one returns is called once they have ended. */
  readonly beforeRevoke: BeforeRevoke[];
  /** Called after each record that this process has written or removed; not for tokens of a redemption, and not for grants that are revoked. */
  readonly afterWrite: AfterWrite[];
  /** Called after connections have ended, with the people. */
  readonly afterEnd: AfterEnd[];
}

export function createRecords(given: Store, { onFault, telemetry }: Audit): Records {
  const time = new RequestTime((given.deadline ?? Infinity) * 1000);
  const hooks = { beforeRevoke: [], afterWrite: [], afterEnd: [] };
  const store = recordStore(wrapStore(given, { time, telemetry, onFault }), onFault, hooks);
  return { store, time, ...hooks };
}
