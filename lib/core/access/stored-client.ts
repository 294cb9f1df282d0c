import type { ClientFinder } from '../clients/client-finder.ts';
import type { ClientSource } from '../clients/client-source.ts';
import type { Site } from '../../host/school-platform.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import type { Approval, ApprovalFinder } from './version-approvals.ts';
import { clientVersion } from './used-client.ts';

/** A client as it is stored, with what a school has decided about it: what decides where nothing may be fetched. */
export interface StoredClient {
  /** As the consent page has it. */
  readonly metadata: ClientMetadata;
  /** The approval of this version. */
  readonly approved: Approval | undefined;
  /** Whether the school rejected it; only of a metadata document. */
  readonly isRejected: boolean;
}

export type StoredClientFinder = (site: Site, clientId: string) => Promise<StoredClient | undefined>;

export interface StoredClientOptions {
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
  readonly source: ClientSource;
  readonly approvalOf: ApprovalFinder;
  readonly isRejected: (siteId: string, clientId: string) => Promise<boolean>;
}

export function storedClients(options: StoredClientOptions): StoredClientFinder {
  const { clients, approvalOf } = options;
  return async (site, clientId) => {
    const found = await clients(site.id, clientId, 'identify');
    if (!found) return undefined;
    const isDocument = found.campus_source === 'document';
    const [approved, isRejected] = await Promise.all([
      approvalOf(site.id, clientId, clientVersion(found)),
      isDocument && options.isRejected(site.id, clientId),
    ]);
    return { metadata: isDocument ? await asReviewed(options, site, found, approved) : found, approved, isRejected };
  };
}

/** A metadata document as the consent page has it: reviewed by an administrator, or by the policy of the platform. */
async function asReviewed(
  { source }: StoredClientOptions,
  site: Site,
  document: ClientMetadata,
  approved: Approval | undefined,
): Promise<ClientMetadata> {
  const found = await source.scopes?.(site.id, document.client_id);
  const reviewed = approved !== undefined || (typeof found === 'object' && found.reviewed);
  return { ...document, campus_audience: 'operator', campus_reviewed: reviewed };
}
