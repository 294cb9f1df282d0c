import { serializeRecord } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';
import { isMetadataDocumentId } from '../protocol/client-id.ts';

/** Called when a member has consented to a client. */
type ExtendRegistration = (siteId: string, clientId: string) => Promise<void>;

/** Extends the lifetime of a registered client to that of its newest grant. Other clients are unchanged. */
export function extendUsedRegistrations(
  store: Pick<RecordStore, 'find' | 'save'>,
  grantLifetime: number,
): ExtendRegistration {
  return async (siteId, clientId) => {
    const found = isMetadataDocumentId(clientId) ? undefined : await store.find(siteId, 'Client', clientId);
    if (found?.record.campus_source !== 'registered') return;
    const record = serializeRecord(found.record);
    await store.save(siteId, { kind: 'Client', id: clientId, record, ttl: grantLifetime });
  };
}
