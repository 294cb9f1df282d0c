import { isMetadataDocumentId } from '../protocol/client-id.ts';
import { serializeRecord } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';

/** When a member consents, extends the lifetime of a registered client to that of the grant. */
export function extendUsedRegistrations(
  store: Pick<RecordStore, 'find' | 'save'>,
  grantLifetime: number,
): (siteId: string, clientId: string) => Promise<void> {
  return async (siteId, clientId) => {
    const found = isMetadataDocumentId(clientId) ? undefined : await store.find(siteId, 'Client', clientId);
    if (found?.record.campus_source !== 'registered') return;
    const record = serializeRecord(found.record);
    // Another consent may have done it already; a client that is gone by now stays gone.
    await store.save(siteId, { kind: 'Client', id: clientId, record, ttl: grantLifetime, replaces: found.text });
  };
}
