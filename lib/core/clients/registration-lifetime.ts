import type { Site } from '../../host/school-platform.ts';
import { serializeRecord } from '../../records/codec.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { LimitManager } from '../limits/limit-manager.ts';
import { isMetadataDocumentId } from './client-id.ts';

/** How long a registered client is kept before somebody consents, in seconds, unless its policy says so. */
export const unusedRegistrationLifetime = 24 * 60 * 60;

/** When a member consents, extends the lifetime of a registered client to that of the grant. */
export function extendUsedRegistrations(store: RecordStore, { lifetimes }: LimitManager) {
  return async (site: Site, clientId: string): Promise<void> => {
    const found = isMetadataDocumentId(clientId) ? undefined : await store.find(site.id, 'Client', clientId);
    if (found?.record.campus_source !== 'registered') return;
    const record = serializeRecord('Client', found.record);
    const ttl = lifetimes(site).grant;
    // Another consent may have done it already; a client that is gone by now stays gone.
    await store.save(site.id, { kind: 'Client', id: clientId, record, ttl, replaces: found.text });
  };
}
