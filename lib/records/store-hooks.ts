import type { EventDetails } from '../observe/audit-event.ts';
import type { GrantFilter } from './store.ts';
import type { RecordKind } from './record.ts';

/** Looks at grants that are about to end, and returns what is to be done when they have. */
export type BeforeRevoke = (siteId: string, filter: GrantFilter) => Promise<(() => void) | undefined>;

/** Learns that this process has written or removed a record. */
export type AfterWrite = (siteId: string, kind: RecordKind) => void;

/** Learns whose connections have ended, and why. */
export type AfterEnd = (siteId: string, memberIds: readonly string[], details: EventDetails) => Promise<void>;

export interface StoreHooks {
  readonly beforeRevoke: readonly BeforeRevoke[];
  readonly afterWrite: readonly AfterWrite[];
  readonly afterEnd: readonly AfterEnd[];
}

export const noHooks: StoreHooks = { beforeRevoke: [], afterWrite: [], afterEnd: [] };
