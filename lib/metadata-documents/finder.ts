import { epochSeconds } from '../runtime/clock.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { MetadataDocumentPolicy } from '../contracts/registration.ts';
import { digest } from '../runtime/crypto.ts';
import type { DocumentFetcher } from './fetcher.ts';
import { singleFlight } from '../runtime/single-flight.ts';
import { mayHave, scopeRow } from '../protocol/scopes.ts';
import type { ClientFinder } from '../clients/finder.ts';
import { serializeRecord } from '../records/codec.ts';
import type { DocumentRecord } from '../records/kinds.ts';
import type { RecordStore } from '../records/record-store.ts';

interface DocumentOptions {
  readonly policy: MetadataDocumentPolicy;
  readonly store: Pick<RecordStore, 'find' | 'save'>;
  readonly fetcher: DocumentFetcher;
  readonly limit: (siteId: string) => Promise<void>;
  /** How long the digest of a document is stored, in seconds; at least as long as a consent is valid. */
  readonly memory: number;
}

/**
 * Finds clients that are Client ID Metadata Documents. A fetched document is cached and the policy is evaluated at every
 * use, so that removing a host or withdrawing a review has immediate effect. Failures are not cached and are an `OAuthError`.
 * Specification: Registration rules 3.
 */
export function documentClientFinder({ policy, store, fetcher, limit, memory }: DocumentOptions): ClientFinder {
  const shared = singleFlight((key) => load(key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)));

  async function load(siteId: string, clientId: string): Promise<DocumentRecord & { readonly document: JsonObject }> {
    const id = digest(clientId);
    const cached = (await store.find(siteId, 'Document', id))?.record;
    if (cached?.document) return { document: cached.document, since: cached.since };
    await limit(siteId);
    const { document, ttl } = await fetcher.fetch(clientId);
    const checked = policy.checkDocument(clientId, document);
    const since = await sameSince(siteId, `${id}:digest`, checked.digest);
    const record = serializeRecord({ document, since } satisfies DocumentRecord);
    await store.save(siteId, { kind: 'Document', id, record, ttl });
    return { document, since };
  }

  /** When the digest (name, redirect URIs and keys) last changed; earlier consents are not valid for it. */
  async function sameSince(siteId: string, id: string, current: string): Promise<number> {
    const before = (await store.find(siteId, 'Document', id))?.record;
    const since = before === undefined ? 0 : before.digest === current ? before.since : epochSeconds();
    const record = serializeRecord({ digest: current, since } satisfies DocumentRecord);
    await store.save(siteId, { kind: 'Document', id, record, ttl: memory });
    return since;
  }

  return async (siteId, clientId) => {
    const refusal = policy.permits(clientId);
    if (refusal) throw refusal;
    const { document, since } = await shared(`${siteId} ${clientId}`);
    const checked = policy.checkDocument(clientId, document);
    // No policy can grant a scope that is reserved to member clients. Specification: Registration rules 6.
    const ceiling = await policy.ceiling(clientId, checked.digest);
    const scopes = ceiling.filter((scope) => mayHave('operator', scope));
    return {
      ...checked.metadata,
      scope: scopes.join(' '),
      campus_audience: 'operator',
      campus_source: 'document',
      campus_same_since: since,
      // An unreviewed document has no write scope. Specification: Registration rules 3.
      campus_reviewed: scopes.some((scope) => scopeRow(scope)?.access === 'write'),
    };
  };
}

/** A finder that only looks into the cache: what a document said when it was last fetched, for a page to show. */
export function cachedDocuments(store: Pick<RecordStore, 'find'>): ClientFinder {
  return async (siteId, clientId) => {
    const cached = await store.find(siteId, 'Document', digest(clientId));
    const name = cached?.record.document?.['client_name'];
    return { client_id: clientId, ...(typeof name === 'string' && { client_name: name }), campus_source: 'document' };
  };
}
