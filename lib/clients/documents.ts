import type { JsonObject } from '../contracts/json.ts';
import type { MetadataDocumentPolicy } from '../contracts/registration.ts';
import type { Store } from '../contracts/store.ts';
import { digest } from '../digest.ts';
import type { DocumentFetcher } from '../documents/fetcher.ts';
import type { ClientFinder } from './finder.ts';

/** What metadata documents rest on. */
export interface DocumentOptions {
  readonly policy: MetadataDocumentPolicy;
  readonly store: Pick<Store, 'find' | 'save'>;
  readonly fetcher: DocumentFetcher;
  /** Counts one more fetch for the request at hand, or refuses. */
  readonly limit: (siteId: string) => Promise<void>;
}

/**
 * Clients that are Client ID Metadata Documents: cached as fetched, judged at every use, so that a host taken off the
 * list, or a review withdrawn, counts at once. A failure is not cached. Specification: Registration rules 3.
 *
 * The finder throws an `OAuthError` for a document that may not be used here.
 */
export function documentFinder({ policy, store, fetcher, limit }: DocumentOptions): ClientFinder {
  async function load(siteId: string, clientId: string): Promise<JsonObject> {
    const id = digest(clientId);
    const cached = await store.find(siteId, 'Document', id);
    if (cached) return JSON.parse(cached.record);
    await limit(siteId);
    const { document, ttl } = await fetcher.fetch(clientId);
    policy.checkDocument(clientId, document);
    await store.save(siteId, { kind: 'Document', id, record: JSON.stringify(document), ttl });
    return document;
  }

  return async (siteId, clientId) => {
    const refusal = policy.permits(clientId);
    if (refusal) throw refusal;
    const checked = policy.checkDocument(clientId, await load(siteId, clientId));
    const scopes = await policy.ceiling(clientId, checked.digest);
    return {
      ...checked.metadata,
      scope: scopes.join(' '),
      campus_audience: 'operator',
      campus_source: 'document',
    };
  };
}
