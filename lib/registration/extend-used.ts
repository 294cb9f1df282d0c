import type { AdapterPayload } from 'oidc-provider';
import type { Store } from '../contracts/store.ts';
import { isMetadataDocumentId } from '../protocol/client-id.ts';

/** Called when a member has consented to a client. */
type ExtendRegistration = (siteId: string, clientId: string) => Promise<void>;

/** Extends the lifetime of a registered client to that of its newest grant. Other clients are unchanged. */
export function extendUsedRegistrations(
  store: Pick<Store, 'find' | 'save'>,
  grantLifetime: number,
): ExtendRegistration {
  return async (siteId, clientId) => {
    const found = isMetadataDocumentId(clientId) ? undefined : await store.find(siteId, 'Client', clientId);
    if (!found) return;
    const { campus_source: source }: AdapterPayload = JSON.parse(found.record);
    if (source !== 'registered') return;
    await store.save(siteId, { kind: 'Client', id: clientId, record: found.record, ttl: grantLifetime });
  };
}
