import type { AdapterPayload } from 'oidc-provider';
import type { Store } from '../contracts/store.ts';
import { isMetadataDocumentId } from '../protocol/client-id.ts';

/** Told that somebody consented to a client. */
export type ExtendRegistration = (siteId: string, clientId: string) => Promise<void>;

/** A registered client that somebody uses lives as long as its newest grant; others stay as they are. */
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
