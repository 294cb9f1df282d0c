import { serializeRecord } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';

/** Told that somebody consented to a client. */
export type ExtendRegistration = (siteId: string, clientId: string) => Promise<void>;

/** A registered client that somebody uses lives as long as its newest grant; others stay as they are. */
export function extendUsedRegistrations(
  store: Pick<RecordStore, 'find' | 'save'>,
  grantLifetime: number,
): ExtendRegistration {
  return async (siteId, clientId) => {
    const found = clientId.startsWith('https://') ? undefined : await store.find(siteId, 'Client', clientId);
    if (found?.record.campus_source !== 'registered') return;
    const record = serializeRecord(found.record);
    await store.save(siteId, { kind: 'Client', id: clientId, record, ttl: grantLifetime });
  };
}
